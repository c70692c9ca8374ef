/* config_value.h - a value in a config file. */
#ifndef RT_CONFIG_VALUE_H
#define RT_CONFIG_VALUE_H

enum config_type { CONFIG_STRING, CONFIG_INTEGER, CONFIG_FLOAT, CONFIG_BOOLEAN };

struct config_value {
	enum config_type type;
	const char *text;                       /* decoded; numbers in decimal without '+', '_' and exponent */
};

#endif
