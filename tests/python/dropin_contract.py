"""Public names of both packages, by their modules: what the table of ours has to have."""
CONTRACT = {
    "resource_monitor":
        "EventLogger ResourceLogger get_root_event_logger monitor_function "
        "monitor_region setup_root_event_logger setup_root_resource_logger",
    "resource_monitor.__main__":
        "main",
    "resource_monitor.event_logger":
        "EventLogger EventLogger.clean_up EventLogger.log_end "
        "EventLogger.log_start",
    "resource_monitor.gpu_logger":
        "GpuLogger GpuLogger.get_free GpuLogger.get_process_used "
        "GpuLogger.get_total GpuLogger.get_used GpuLogger.get_utilization "
        "GpuLogger.num_gpus GpuLogger.num_processes GpuLogger.set_pids",
    "resource_monitor.print_report":
        "main",
    "resource_monitor.report":
        "parse_event_log parse_resource_log",
    "resource_monitor.resource_logger":
        "GIGABYTE MEGABYTE ResourceLogger ResourceLogger.clean_up "
        "ResourceLogger.get_resource_info ResourceLogger.run",
    "resource_monitor.utils":
        "EVENT_LOGGER MonitorRegion RESOURCE_LOGGING_STOP_EVENT "
        "RESOURCE_LOGGING_SUBPROCESS clean_up get_root_event_logger "
        "monitor_function monitor_region resource_logging_worker "
        "setup_root_event_logger setup_root_resource_logger",
    "resource_tracker":
        "ProcessTracker ResourceTracker SystemTracker get_cloud_info "
        "get_server_info",
    "resource_tracker.cloud_info":
        "METADATA_REQUEST_TIMEOUT get_cloud_info",
    "resource_tracker.column_maps":
        "BYTE_MAPPING HUMAN_NAMES_MAPPING REPORT_CSV_MAPPING "
        "SERVER_ALLOCATION_CHECKS",
    "resource_tracker.dummy_workloads":
        "cpu_multi cpu_single",
    "resource_tracker.helpers":
        "aggregate_stats cleanup_files cleanup_processes "
        "get_tracker_implementation get_zfs_pools_space is_partition "
        "is_procfs_available is_psutil_available render_csv_row",
    "resource_tracker.keeper":
        "get_instance_price get_recommended_cloud_servers keeper_request",
    "resource_tracker.nvidia":
        "process_nvidia_smi process_nvidia_smi_pmon start_nvidia_smi "
        "start_nvidia_smi_pmon",
    "resource_tracker.report":
        "Report Report.browse Report.save round_memory",
    "resource_tracker.s3_upload":
        "DEFAULT_UPLOAD_TIMEOUT bucket_region_cache main put_bytes_with_sts "
        "put_object_with_sts",
    "resource_tracker.sentinel_api":
        "DEFAULT_SENTINEL_URL DEFAULT_TIMEOUT DataSource RunStatus "
        "SentinelAPIError finish_run refresh_credentials register_run",
    "resource_tracker.server_info":
        "get_gpu_info get_server_info get_total_memory_mib",
    "resource_tracker.streaming":
        "StreamingManager StreamingManager.is_alive StreamingManager.run_id "
        "StreamingManager.start StreamingManager.stop "
        "StreamingManager.uploaded_uris",
    "resource_tracker.tiny_bars":
        "DOUBLE_RE EACH_RE FILTER_PARAM_RE FILTER_RE TRIPLE_RE "
        "render_template",
    "resource_tracker.tiny_data_frame":
        "StatSpec TinyDataFrame TinyDataFrame.columns TinyDataFrame.head "
        "TinyDataFrame.rename TinyDataFrame.stats TinyDataFrame.tail "
        "TinyDataFrame.to_csv TinyDataFrame.to_dict",
    "resource_tracker.tracker":
        "PidTracker ProcessTracker ProcessTracker.children "
        "ProcessTracker.cycle ProcessTracker.diff_stats "
        "ProcessTracker.interval ProcessTracker.pid "
        "ProcessTracker.start_time ProcessTracker.start_tracking "
        "ProcessTracker.stats ProcessTracker.status ResourceTracker "
        "ResourceTracker.autostart ResourceTracker.children "
        "ResourceTracker.cleanup ResourceTracker.cloud_info "
        "ResourceTracker.dump ResourceTracker.dumps "
        "ResourceTracker.error_queue ResourceTracker.from_snapshot "
        "ResourceTracker.get_combined_metrics ResourceTracker.interval "
        "ResourceTracker.load ResourceTracker.loads ResourceTracker.method "
        "ResourceTracker.n_samples ResourceTracker.pid "
        "ResourceTracker.process_metrics "
        "ResourceTracker.process_tracker_filepath "
        "ResourceTracker.process_tracker_process "
        "ResourceTracker.recommend_resources "
        "ResourceTracker.recommend_server ResourceTracker.report "
        "ResourceTracker.running ResourceTracker.sentinel_result "
        "ResourceTracker.server_info ResourceTracker.snapshot "
        "ResourceTracker.start ResourceTracker.start_time "
        "ResourceTracker.stats ResourceTracker.stop "
        "ResourceTracker.stop_time ResourceTracker.system_metrics "
        "ResourceTracker.system_tracker_filepath "
        "ResourceTracker.system_tracker_process ResourceTracker.trackers "
        "ResourceTracker.wait_for_samples SystemTracker SystemTracker.cycle "
        "SystemTracker.diff_stats SystemTracker.interval "
        "SystemTracker.start_time SystemTracker.start_tracking "
        "SystemTracker.stats SystemTracker.status",
    "resource_tracker.tracker_procfs":
        "get_pid_children get_pid_proc_io get_pid_proc_times "
        "get_pid_pss_rollup get_pid_rss get_pid_stats get_process_children "
        "get_process_proc_io get_process_proc_times get_process_pss_rollup "
        "get_process_rss get_process_stats get_sector_sizes "
        "get_system_stats",
    "resource_tracker.tracker_psutil":
        "get_pid_stats get_process_stats get_system_stats",
}
