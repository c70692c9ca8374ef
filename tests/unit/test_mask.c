/* test_mask.c - command lines without their secrets. */
#include "fixture.h"

#include <string.h>

#include "text/mask.h"

/* The arguments, separated by '|', as they are recorded. */
static void mask_all(struct buffer *out, const char *arguments)
{
	char *copy = strdup(arguments);
	struct mask mask = { 0 };

	assert_non_null(copy);
	for (char *at = copy, *next; at; at = next) {
		next = strchr(at, '|');
		if (next)
			*next++ = '\0';
		mask_argument(&mask, out, at);
		if (next)
			buffer_char(out, '|');
	}
	buffer_char(out, '\0');
	free(copy);
}

static void check(const char *arguments, const char *expected)
{
	struct buffer out = { 0 };

	mask_all(&out, arguments);
	assert_string_equal(out.at, expected);
	buffer_release(&out);
}

static void values_with_names_of_secrets_are_hidden(void **state)
{
	(void)state;
	check("curl|--api-key=abc|x", "curl|--api-key=***|x");
	check("curl|--api-key|abc|x", "curl|--api-key|***|x");
	check("curl|--API_TOKEN|a b c|x", "curl|--API_TOKEN|***|x");
	check("mysql|-password|abc", "mysql|-password|***");
	check("env|AWS_SECRET_ACCESS_KEY=abc|run", "env|AWS_SECRET_ACCESS_KEY=***|run");
	check("docker|run|--env=DB_PASSWD=abc=d", "docker|run|--env=DB_PASSWD=***");
	check("java|-Dpassword=x|Main", "java|-Dpassword=***|Main");
	check("x|--token|-weird", "x|--token|***");
	check("x|--token", "x|--token");
	check("x|--token=", "x|--token=");
	check("curl|https://h/p?access_token=abc&b=c", "curl|https://h/p?access_token=***");
}

static void a_switch_does_not_hide_the_next_option(void **state)
{
	(void)state;
	check("x|--use-keyring|--jobs=4|--secret|v", "x|--use-keyring|--jobs=4|--secret|***");
	check("x|--key|--token=v", "x|--key|--token=***");
}

static void other_values_stay(void **state)
{
	(void)state;
	check("python|train.py|--epochs=5|--lr|0.1", "python|train.py|--epochs=5|--lr|0.1");
	check("python|keyboard.py|monkey", "python|keyboard.py|monkey");
	check("docker|run|keycloak/keycloak:24", "docker|run|keycloak/keycloak:24");
	check("", "");
	check("a  b\tc ", "a  b\tc ");
	check("ssh://git@host/x|http://host:80/a@b", "ssh://git@host/x|http://host:80/a@b");
}

static void scripts_are_masked_word_by_word(void **state)
{
	(void)state;
	check("sh|-c|PASSWORD=abc cmd --api-key v --n 3", "sh|-c|PASSWORD=*** cmd --api-key *** --n 3");
	check("sh|-c|PASSWORD='a b' cmd", "sh|-c|PASSWORD=*** cmd");
	check("curl|-H|X-Api-Key: abc", "curl|-H|X-Api-Key: ***");
	check("curl|-H|Authorization: Bearer abc|x", "curl|-H|Authorization: Bearer ***|x");
	check("curl|-d|{\"user\":\"a\",\"password\":\"b\"}", "curl|-d|{\"user\":\"a\",\"password\":***");
	check("curl|-d|{\"token\": \"b\"}", "curl|-d|{\"token\": ***");
}

static void passwords_of_addresses_are_hidden(void **state)
{
	(void)state;
	check("git|clone|https://me:pw@host/x", "git|clone|https://me:***@host/x");
	check("psql|postgres://me:p@ss@host:5432/db", "psql|postgres://me:***@host:5432/db");
	check("git|clone|https://ghp_abc@github.com/x", "git|clone|https://***@github.com/x");
}

/* Secrets are written HUNTER1 (and HUNTER2), and must not be left; `masked` is the text that must be left. */
static const struct { const char *arguments, *masked; } forms[] = {
	{ "x|--pass|HUNTER1", "x|--pass|***" },
	{ "x|--pass=HUNTER1|y", "x|--pass=***|y" },
	{ "x|--db-pass|HUNTER1", "x|--db-pass|***" },
	{ "x|--pwd=HUNTER1", "x|--pwd=***" },
	{ "x|-pwd|HUNTER1", "x|-pwd|***" },
	{ "x|--token:HUNTER1", "x|--token:***" },
	{ "x.exe|/password:HUNTER1", "x.exe|/password:***" },
	{ "x|--passphrase|HUNTER1", "x|--passphrase|***" },
	{ "x|--password=HUNTER1 HUNTER2", "x|--password=***" },
	{ "x|--accessToken=HUNTER1", "x|--accessToken=***" },
	{ "x|--api.key=HUNTER1", "x|--api.key=***" },
	{ "x|--apikey|HUNTER1", "x|--apikey|***" },
	{ "x|--credentials|HUNTER1", "x|--credentials|***" },
	{ "x|--key|HUNTER1", "x|--key|***" },
	{ "x|--otp=HUNTER1", "x|--otp=***" },
	{ "x|--oauth2-bearer|HUNTER1", "x|--oauth2-bearer|***" },
	{ "java|-Dspring.datasource.password=HUNTER1|Main", "java|-Dspring.datasource.password=***|Main" },
	{ "env|PGPASSWORD=HUNTER1|psql", "env|PGPASSWORD=***|psql" },
	{ "env|MYSQL_PWD=HUNTER1|mysql", "env|MYSQL_PWD=***|mysql" },
	{ "env|GITHUBTOKEN=HUNTER1|x", "env|GITHUBTOKEN=***|x" },
	{ "env|AWS_ACCESS_KEY_ID=HUNTER1|x", "env|AWS_ACCESS_KEY_ID=***|x" },
	{ "env|SECRET_KEY_BASE=HUNTER1|x", "env|SECRET_KEY_BASE=***|x" },
	{ "env|KEY=HUNTER1 HUNTER2|x", "env|KEY=***|x" },
	{ "env|DB_PASSWORD2=HUNTER1|x", "env|DB_PASSWORD2=***|x" },
	{ "curl|-u|me:HUNTER1|h", "curl|-u|me:***|h" },
	{ "curl|-ume:HUNTER1|h", "curl|-ume:***|h" },
	{ "curl|--user|me:HUNTER1 HUNTER2|h", "curl|--user|me:***|h" },
	{ "curl|--user=me:HUNTER1|h", "curl|--user=me:***|h" },
	{ "curl|--proxy-user|me:HUNTER1|h", "curl|--proxy-user|me:***|h" },
	{ "curl|-b|session=HUNTER1; b=HUNTER2|h", "curl|-b|session=***|h" },
	{ "./fetch.sh|-u|me:HUNTER1", "./fetch.sh|-u|me:***" },
	{ "http|-a|me:HUNTER1|h", "http|-a|me:***|h" },
	{ "curl|-H|Authorization: Basic HUNTER1|h", "curl|-H|Authorization: Basic ***|h" },
	{ "curl|-H|authorization:Basic HUNTER1|h", "curl|-H|authorization:Basic ***|h" },
	{ "curl|-H|Authorization: token HUNTER1|h", "curl|-H|Authorization: token ***|h" },
	{ "curl|-H|Authorization: HUNTER1|h", "curl|-H|Authorization: ***|h" },
	{ "curl|-H|Proxy-Authorization: Digest a=\"HUNTER1\", b=\"HUNTER2\"|h", "curl|-H|Proxy-Authorization: Digest ***|h" },
	{ "curl|-H|Cookie: session=HUNTER1; csrf=HUNTER2|h", "curl|-H|Cookie: ***|h" },
	{ "curl|--cookie|session=HUNTER1; csrf=HUNTER2|h", "curl|--cookie|***|h" },
	{ "curl|-H|PRIVATE-TOKEN: HUNTER1|h", "curl|-H|PRIVATE-TOKEN: ***|h" },
	{ "curl|-H|X-Vault-Token:HUNTER1|h", "curl|-H|X-Vault-Token:***|h" },
	{ "sh|-c|curl -H 'Cookie: a=HUNTER1; b=HUNTER2' h", "sh|-c|curl -H 'Cookie: ***' h" },
	{ "git|-c|http.extraheader=AUTHORIZATION: basic HUNTER1|fetch",
	  "git|-c|http.extraheader=AUTHORIZATION: basic ***|fetch" },
	{ "az|https://h/c?sv=2022&sig=HUNTER1", "az|https://h/c?sv=2022&sig=***" },
	{ "az|https://h/c?sig=HUNTER1&se=1", "az|https://h/c?sig=***" },
	{ "aws|https://h/c?X-Amz-Signature=HUNTER1", "aws|https://h/c?X-Amz-Signature=***" },
	{ "x|https://h/?key=HUNTER1", "x|https://h/?key=***" },
	{ "git|clone|https://HUNTER1@h/x", "git|clone|https://***@h/x" },
	{ "x|a=amqp://me:HUNTER1@h,amqp://me:HUNTER2@i", "x|a=amqp://me:***@h,amqp://me:***@i" },
	{ "x|ghp_HUNTER1HUNTER1HUNTER1|y", "x|ghp_***|y" },
	{ "x|github_pat_HUNTER1HUNTER1HUNTER1", "x|github_pat_***" },
	{ "x|glpat-HUNTER1HUNTER1HUNTER1", "x|glpat-***" },
	{ "x|AKIAHUNTER1HUNTER100", "x|AKIA***" },
	{ "x|xoxb-HUNTER1HUNTER1", "x|xoxb-***" },
	{ "x|sk-proj-HUNTER1HUNTER1HUNTER1HUNTER1|", "x|sk-proj-***|" },
	{ "x|hf_HUNTER1HUNTER1HUNTER1HUNTER1HUNTER1", "x|hf_***" },
	{ "x|(eyJHUNTER1HUNTER1.HUNTER1HUNTER1.HUNTER1)", "x|(eyJ***)" },
	{ "x|a=AIzaHUNTER1HUNTER1HUNTER1HUNTER1HUNTER1,b", "x|a=AIza***,b" },
	{ "x|https://hooks.slack.com/services/HUNTER1/HUNTER1/HUNTER1", "x|https://hooks.slack.com/services/***" },
	{ "x|-----BEGIN RSA PRIVATE KEY-----\nHUNTER1\nHUNTER2\n-----END RSA PRIVATE KEY-----\n|y",
	  "x|-----BEGIN RSA PRIVATE KEY***\n|y" },
	{ "x|-----BEGIN OPENSSH PRIVATE KEY-----\nHUNTER1\nHUNTER2", "x|-----BEGIN OPENSSH PRIVATE KEY***" },
	{ "x|Server=h;User Id=me;Password=HUNTER1;Encrypt=yes", "x|Server=h;User Id=me;Password=***" },
	{ "x|host=h user=me password=HUNTER1 dbname=d", "x|host=h user=me password=*** dbname=d" },
	{ "x|AccountName=a;AccountKey=HUNTER1==;Suffix=net", "x|AccountName=a;AccountKey=***" },
	{ "mount|-o|username=me,password=HUNTER1|//h/s", "mount|-o|username=me,password=***|//h/s" },
	{ "mysql|-u|root|-pMyToken_HUNTER1|db", "mysql|-u|root|-p***|db" },
	{ "mysql|-u|root|-pHUNTER1|db", "mysql|-u|root|-p***|db" },
	{ "sudo|/usr/bin/mysqldump|-pHUNTER1|db", "sudo|/usr/bin/mysqldump|-p***|db" },
	{ "sh|-c|mysql -uroot -pHUNTER1 db", "sh|-c|mysql -uroot -p*** db" },
	{ "sshpass|-p|HUNTER1|ssh|h", "sshpass|-p|***|ssh|h" },
	{ "sshpass|-pHUNTER1|ssh|h", "sshpass|-p***|ssh|h" },
	{ "docker|login|-u|me|-p|HUNTER1|h", "docker|login|-u|me|-p|***|h" },
	{ "redis-cli|-a|HUNTER1|ping", "redis-cli|-a|***|ping" },
	{ "ldapsearch|-D|cn=me|-w|HUNTER1", "ldapsearch|-D|cn=me|-w|***" },
	{ "smbclient|-U|me%HUNTER1|//h/s", "smbclient|-U|me%***|//h/s" },
	{ "7z|x|-pHUNTER1|a.7z", "7z|x|-p***|a.7z" },
	{ "openssl|enc|-pass|pass:HUNTER1", "openssl|enc|-pass|***" },
	{ "openssl|rsa|-passin|pass:HUNTER1", "openssl|rsa|-passin|***" },
	{ "keytool|-storepass|HUNTER1", "keytool|-storepass|***" },
	{ "nmcli|dev|wifi|connect|x|password|HUNTER1", "nmcli|dev|wifi|connect|x|password|***" },
	{ "aws|configure|set|aws_secret_access_key|HUNTER1", "aws|configure|set|aws_secret_access_key|***" },
	{ "npm|config|set|//r/:_authToken=HUNTER1", "npm|config|set|//r/:_authToken=***" },
	{ "kubectl|create|secret|generic|x|--from-literal=password=HUNTER1",
	  "kubectl|create|secret|generic|x|--from-literal=password=***" },
	{ "python|-c|connect(user='me', password='HUNTER1 HUNTER2')", "python|-c|connect(user='me', password=***)" },
	{ "python|-c|api_key = 'HUNTER1 HUNTER2'; go()", "python|-c|api_key = ***; go()" },
	{ "curl|-d|{\"user\": \"me\", \"client_secret\": \"HUNTER1 HUNTER2\"}|h",
	  "curl|-d|{\"user\": \"me\", \"client_secret\": ***}|h" },
	{ "sh|-c|curl -d \"{\\\"password\\\":\\\"HUNTER1\\\"}\" h", NULL },
	{ "x|--set|db.password=HUNTER1", "x|--set|db.password=***" },
	{ "x|config[api_key]=HUNTER1", "x|config[api_key]=***" },
	{ "curl|-sSu|me:HUNTER1|h", "curl|-sSu|me:***|h" },
	{ "curl|-fu|me:HUNTER1|h", "curl|-fu|me:***|h" },
	{ "curl|-x|me:HUNTER1@proxy:80|h", "curl|-x|me:***|h" },
	{ "curl|--proxy=me:HUNTER1@proxy|h", "curl|--proxy=me:***|h" },
	{ "curl|-x|http://me:HUNTER1@proxy:80|h", "curl|-x|http://me:***@proxy:80|h" },
	{ "curl|-H|X-Auth: HUNTER1|h", "curl|-H|X-Auth: ***|h" },
	{ "zip|-rP|HUNTER1|a|b", "zip|-rP|***|a|b" },
	{ "zip|-PHUNTER1P|a", "zip|-P***|a" },
	{ "rar|a|-hpHUNTER1|a", "rar|a|-hp***|a" },
	{ "mysql|-e|ALTER USER 'me'@'h' IDENTIFIED BY 'HUNTER1 HUNTER2'", "mysql|-e|ALTER USER 'me'@'h' IDENTIFIED BY ***" },
	{ "mysql|-e|CREATE USER me identified WITH sha256 by 'HUNTER1';", "mysql|-e|CREATE USER me identified WITH sha256 by ***" },
	{ "psql|-c|ALTER ROLE me WITH PASSWORD 'HUNTER1' LOGIN", "psql|-c|ALTER ROLE me WITH PASSWORD *** LOGIN" },
	{ "mysqlpump|-pHUNTER1|db", "mysqlpump|-p***|db" },
	{ "redis-cli|AUTH|HUNTER1", "redis-cli|AUTH|***" },
	{ "vault|login|HUNTER1", "vault|login|***" },
	{ "sh|-c|wandb login HUNTER1 && python train.py", "sh|-c|wandb login *** && python train.py" },
	{ "cargo|login|HUNTER1", "cargo|login|***" },
	{ "ngrok|config|add-authtoken|HUNTER1", "ngrok|config|add-authtoken|***" },
	{ "influx|-token|HUNTER1", "influx|-token|***" },
	{ "kubectl|create|secret|generic|x|--from-literal=user=HUNTER1", "kubectl|create|secret|generic|x|--from-literal=user=***" },
	{ "gh|secret|set|X|--body|HUNTER1", "gh|secret|set|X|--body|***" },
	{ "gh|secret|set|X|-b|HUNTER1", "gh|secret|set|X|-b|***" },
	{ "az|keyvault|secret|set|--name|n|--value|HUNTER1", "az|keyvault|secret|set|--name|n|--value|***" },
	{ "aws|ssm|put-parameter|--name|n|--value|HUNTER1", "aws|ssm|put-parameter|--name|n|--value|***" },
	{ "skopeo|copy|--src-creds|me:HUNTER1|--dest-creds=me:HUNTER2|a|b", "skopeo|copy|--src-creds|me:***|--dest-creds=me:***|a|b" },
	{ "ssh-keygen|-t|rsa|-N|HUNTER1|-f|x", "ssh-keygen|-t|rsa|-N|***|-f|x" },
	{ "pdftotext|-upw|HUNTER1|a.pdf", "pdftotext|-upw|***|a.pdf" },
	{ "pdftk|a.pdf|input_pw|HUNTER1|output|b.pdf", "pdftk|a.pdf|input_pw|***|output|b.pdf" },
	{ "dotnet|nuget|push|x|-k|HUNTER1", "dotnet|nuget|push|x|-k|***" },
	{ "doctl|auth|init|-t|HUNTER1", "doctl|auth|init|-t|***" },
	{ "gitlab-runner|register|-r|HUNTER1", "gitlab-runner|register|-r|***" },
};

static void each_usual_form_is_hidden(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(forms); i++) {
		struct buffer out = { 0 };

		mask_all(&out, forms[i].arguments);
		print_message("%-75s -> %s\n", forms[i].arguments, out.at);
		assert_null(strstr(out.at, "HUNTER1"));
		assert_null(strstr(out.at, "HUNTER2"));
		if (forms[i].masked)
			assert_string_equal(out.at, forms[i].masked);
		buffer_release(&out);
	}
	assert_true(countof(forms) >= 60);
}

static void usual_command_lines_stay_as_they_are(void **state)
{
	static const char *const innocent[] = {
		"nc|-l|-p|8080", "ssh|-p|22|me@host", "mkdir|-p|dir", "cp|-pv|a|b", "docker|run|-p|80:80|nginx",
		"python|-u|train.py", "python|-u|-m|torch.distributed.run|--nnodes=1:4|train.py", "sudo|-u|user|x",
		"docker|run|-u|www:www|x", "docker|run|--user|1000:1000|x", "x|-u|1000:1000", "rsync|-u|a|host:/path",
		"date|-u|+%H:%M", "x|--passes|3", "x|--bypass", "x|--bypass=yes", "tokenizer=bpe|x", "x|--tokenizer|bpe",
		"x|--pass-through", "x|--pass-through=a", "x|--max-tokens|512", "x|--max-token=512", "x|--pad-token|<pad>",
		"x|key=value", "x|--sort-key|name", "x|--primary-key=id", "x|--public-key|a.pub", "sort|-k|2,2",
		"x|--keyboard|de", "x|--monkey=1", "x|--password-file|/run/x", "docker|login|--password-stdin|h",
		"env|PWD=/home/me|OLDPWD=/|x", "env|API_KEY_FILE=/run/x|x", "ffmpeg|-pass|1|a.mp4", "x|--compass=4",
		"git|commit|-m|the secretary and the keynote", "x|https://h:80/a?page=3&sort=up", "x|s3://bucket/key",
		"x|C:/keys/a", "tar|-xf|a.tar|--exclude=*.key", "awk|-F:|{print $1}", "x|sk-learn|eyJ|AKIA|ghp_", "mysql|-p|db",
		"mysql|-P|3306|db", "curl|-X|POST|https://h/|-o|a:b", "x|basic|training|12:30:45", "x|a::b|std::vector",
		"sh|-c|for k in a b; do echo $k; done", "x|-----BEGIN CERTIFICATE-----\nabc", "x|--num-keys=4|--keys|4",
		"bash|--login|-c|make -j4", "x|lr=0.1|model.depth=4|data.pass_through=no", "x|--no-password|db",
		"curl|-x|proxy:8080|h", "curl|-sSu|me|h", "zip|-r|a.zip|b", "psql|-c|SELECT a FROM b GROUP BY c",
		"kubectl|create|configmap|x|--from-literal=a=b", "docker|run|nginx:1.25@sha256:0123", "gh|pr|create|--body|text",
		"sh|-c|wandb login && python train.py", "git|commit|-m|closed by me", "az|vm|create|--value|x",
	};

	(void)state;
	for (size_t i = 0; i < countof(innocent); i++)
		check(innocent[i], innocent[i]);
	assert_true(countof(innocent) >= 25);
}

/* Half a MiB of text that invites repeated searches: if the time grew by the square, this would take hours. */
static void a_hostile_argument_takes_linear_time(void **state)
{
	static const char *const pieces[] = {
		"=", ":", "a=", "key=", "\"", "'", "a\"", "://", "a://b@", "-----BEGIN ", "-----BEGIN PRIVATE KEY", "\\\"=",
		"]", "key=\" key='", "Cookie:", " 'Cookie:", "eyJ", "/eyJ", "--password ", "-", "aB", " \"x", "password = ",
		"-u a:", "curl ", "Bearer ", "\n", "token '", "token 'a", "identified by '", "curl -sSu a:", "zip -rP ",
	};
	size_t size = 1 << 19;
	char *text = malloc(size);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < countof(pieces); i++) {
		struct buffer out = { 0 };
		size_t n = strlen(pieces[i]), at = 0;

		for (; at + n < size; at += n)
			memcpy(text + at, pieces[i], n);
		text[at] = '\0';
		mask_text(&out, text);
		mask_argument(&(struct mask){ 0 }, &out, text);
		assert_false(out.failed);
		buffer_release(&out);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_with_names_of_secrets_are_hidden),
		cmocka_unit_test(a_switch_does_not_hide_the_next_option),
		cmocka_unit_test(other_values_stay),
		cmocka_unit_test(scripts_are_masked_word_by_word),
		cmocka_unit_test(passwords_of_addresses_are_hidden),
		cmocka_unit_test(each_usual_form_is_hidden),
		cmocka_unit_test(usual_command_lines_stay_as_they_are),
		cmocka_unit_test(a_hostile_argument_takes_linear_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
