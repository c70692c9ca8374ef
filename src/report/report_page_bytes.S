/* report_page_bytes.S - the bytes of the page; RT_REPORT_PAGE is the path of the file. */
	.section .rodata
	.globl	report_page_begin, report_page_end
	.hidden	report_page_begin, report_page_end
report_page_begin:
	.incbin	RT_REPORT_PAGE
report_page_end:
	.section .note.GNU-stack, "", %progbits
