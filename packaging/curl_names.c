/*
 * curl_names.c - the names of libcurl's functions, to link with: see cmake/companion.cmake.  None of these is ever called.
 */
#define NAME(name) __attribute__((visibility("default"))) void name(void); void name(void) {}

NAME(curl_easy_cleanup)
NAME(curl_easy_escape)
NAME(curl_easy_getinfo)
NAME(curl_easy_init)
NAME(curl_easy_perform)
NAME(curl_easy_setopt)
NAME(curl_easy_strerror)
NAME(curl_free)
NAME(curl_global_init)
NAME(curl_multi_add_handle)
NAME(curl_multi_cleanup)
NAME(curl_multi_info_read)
NAME(curl_multi_init)
NAME(curl_multi_perform)
NAME(curl_multi_poll)
NAME(curl_multi_remove_handle)
NAME(curl_slist_append)
NAME(curl_slist_free_all)
