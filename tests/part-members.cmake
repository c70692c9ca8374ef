# What happens without memory: the test decides when there is none.
target_link_options(test_members PRIVATE -Wl,--wrap=malloc)
