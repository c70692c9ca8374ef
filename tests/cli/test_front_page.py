"""What people see first, README.md, SECURITY.md and the forms for issues, names only what is there."""
import os
import re
import subprocess

import pytest
import yaml

from processes import wait_for, wait_for_file
from test_feed import not_asked_to_end
from test_options import COMMANDS, ROOT

FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
PAGES = ["README.md", "SECURITY.md", "CONTRIBUTING.md"]


def links(page):
    """What a page links to below its folder, without the anchors."""
    text = (ROOT / page).read_text()
    return {target for target in re.findall(r"\]\(([^)#\s]+)", text) if not re.match(r"[a-z]+:", target)}


def commands(text):
    """[(subcommand or "", [options])] of the commands in code; what stands after `--` is the job's."""
    code = "\n".join(block or inline for block, inline in re.findall(r"^    (.*)$|`([^`]+)`", text, re.M))
    for line in re.findall(r"^resource-tracker .*$", code, re.M):
        words = re.split(r" -- |[#|;]", line)[0].split()[1:]
        word = words[0] if words and words[0] in COMMANDS else ""
        yield word, [w for w in words if re.fullmatch(r"--?[a-z][-a-z]*", w)]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_links_to_is_there(page):
    assert links(page) and {target for target in links(page) if not (ROOT / page).parent.joinpath(target).exists()} == set()


def test_the_readme_is_short_and_its_pictures_are_small():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 110
    pictures = [target for target in links("README.md") if target.startswith("docs/pictures/")]
    assert len(pictures) == 2
    for picture in pictures:
        assert 1000 < (ROOT / picture).stat().st_size < 150_000


def test_commands_are_found():
    assert ("compare", ["--fail-on"]) in commands((ROOT / "README.md").read_text())
    assert list(commands("    resource-tracker runs -n 3 | sort -k\n`resource-tracker -i 1 -- ls -l`")) == [("runs", ["-n"]), ("", ["-i"])]


@pytest.mark.parametrize("page", ["README.md", "SECURITY.md", *(str(form.relative_to(ROOT)) for form in FORMS)])
def test_options_that_a_page_shows_exist(run, page):
    helps = {}
    for word, options in commands((ROOT / page).read_text()):
        if word not in helps:
            helps[word] = run(*filter(None, [word, "--help"])).stdout
        if "is not installed" in helps[word]:
            continue
        for option in options:
            assert re.search(rf"(?<![-\w]){option}(?![-\w])", helps[word]), f"resource-tracker {word} has no {option}"


def test_the_commands_from_one_job_to_a_fleet_work(tracker, tmp_path, has_page):
    """Each in turn; `srun` is there as the variables that it sets."""
    table = (ROOT / "README.md").read_text().split("## From one job to a fleet")[1].split("## ")[0]
    cells = [re.findall(r"`([^`]+)`", line.rsplit("|", 2)[1]) for line in table.splitlines() if line.startswith("| ") and "`" in line]
    for name, script in (("job.sh", "sleep 0.2"), ("solver", "sleep 0.2"), ("receiver", f"exec cat > {tmp_path}/received")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "Makefile").write_text("test:\n\t@true\n")
    (tmp_path / "summary.md").touch()
    environment = os.environ | {"PATH": f"{tracker.parent}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    said = {}
    for command in [command for cell in cells for command in cell]:
        words = command.replace("/shared", str(tmp_path)).replace("srun ", "env SLURM_JOB_ID=1235 SLURM_PROCID=0 SLURM_NTASKS=1 ")
        done = subprocess.run(words, shell=True, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, preexec_fn=not_asked_to_end)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        said[command] = done.stdout
    assert len(cells) == 6 and len(said) == 10
    assert "job.sh" in said["resource-tracker runs --directory /shared/runs"] and "1235" in (tmp_path / "job.html").read_text()
    assert "make test" in (tmp_path / "summary.md").read_text()
    wait_for(lambda: '["r"' in wait_for_file(tmp_path / "received"), "the receiver has a row")
    assert "job.sh" in said["resource-tracker fleet query --store fleet.db memory"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_asks_for_something(form):
    form = yaml.safe_load(form.read_text())
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert form["name"] and form["description"] and len({field["id"] for field in fields}) == len(fields)
    assert any(field.get("validations", {}).get("required") for field in fields)
    assert all(field["attributes"]["label"] for field in fields)


def test_there_is_a_form_for_each_kind():
    assert [form.stem for form in FORMS] == ["bug", "wish", "wrong-figure"]
    assert (ROOT / ".github/PULL_REQUEST_TEMPLATE.md").is_file()
