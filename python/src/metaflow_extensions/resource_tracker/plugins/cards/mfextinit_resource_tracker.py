"""What Metaflow reads of its extensions: their cards."""
from resource_tracker._metaflow_card import TrackedResources

CARDS = [TrackedResources]
