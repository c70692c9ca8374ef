// chart_list.js - the line charts that the data can have, in their order, and their sections.

// note: the meaning of the numbers, if the unit does not show it.  absent: the text for a run without them.
export const CHARTS = [
	{ chart: "cpu", section: "cpu", title: "CPU", absent: "CPU use over time" },
	{ chart: "memory", section: "memory", title: "Memory", height: 220, absent: "memory over time" },
	{ chart: "processes_count", section: "processes", title: "Processes alive" },
	{ chart: "disk_io", section: "disk", title: "Disk reads and writes", absent: "disk I/O" },
	{ chart: "disk_space", section: "machine", title: "Disk space" },
	{ chart: "network", section: "network", title: "Network", absent: "network traffic" },
	{
		chart: "pressure", section: "waiting", title: "Pressure", note: "share of the time in which tasks had to wait",
		absent: "pressure (the kernel's PSI)",
	},
	{
		chart: "time_spent", section: "waiting", title: "Where the time went", note: "threads on average, stacked",
		stacked: true,
	},
	{ chart: "gpu_use", section: "gpu", title: "GPU use", absent: "GPUs" },
	{ chart: "gpu_memory", section: "gpu", title: "GPU memory" },
	{ chart: "gpu_power", section: "gpu", title: "GPU power" },
	{ chart: "gpu_temperature", section: "gpu", title: "GPU temperature" },
	{ chart: "overhead", section: "machine", title: "What recording cost" },
];

export const SECTIONS = {
	cpu: "CPU", memory: "Memory", regions: "Regions", processes: "Programs", disk: "Disk", network: "Network",
	waiting: "Waiting", gpu: "GPU", machine: "Machine and recorder", methods: "Methods",
};

// Sections that are folded at first.
export const FOLDED = new Set(["machine", "methods"]);
