"""The parts of the site that DocC lacks, which `.ci/docs` adds:

- Search over all guides, modules and languages: search.html of Docs/Site, with an index
- A header with a link to the search; a footer with version and repository, of Docs/Site/footer.html
- Links in place of `the guide *Thread safety*`; contents of long pages; the language C by its name
- An icon
"""

import glob
import json
import os
import re
import shutil
import sys

from reading import read

GUIDES = "doc://Guides/documentation/Guides/"
LONG = 6


def texts(node):
    """All text of a piece of a page."""
    if isinstance(node, list):
        return "".join(map(texts, node))
    if isinstance(node, dict):
        return node.get("text") or node.get("code") or "" if node.get("type") in ("text", "codeVoice") else texts(list(node.values()))
    return ""


def link_guides(node, guides, linked):
    """Makes links of the names of guides that follow `guide`."""
    if isinstance(node, dict):
        node = list(node.values())
    elif not isinstance(node, list):
        return
    for at, part in enumerate(node):
        before = node[at - 1] if at else None
        if isinstance(part, dict) and part.get("type") == "emphasis" and isinstance(before, dict):
            # A line's end is a text of its own.
            said = texts(node[max(0, at - 2):at])
            if re.search(r"[Gg]uide\s+$", said) and texts(part) in guides:
                node[at] = {"type": "reference", "identifier": guides[texts(part)], "isActive": True}
                linked.add(guides[texts(part)])
        link_guides(part, guides, linked)


def add_contents(page):
    section = next((each for each in page.get("primaryContentSections", []) if each["kind"] == "content"), None)
    headings = [each for each in section["content"] if each.get("type") == "heading" and each["level"] == 2] if section else []
    if page["kind"] != "article" or len(headings) < LONG:
        return
    links = [{"type": "link", "destination": f"#{each['anchor']}", "title": each["text"], "titleInlineContent": [{"type": "text", "text": each["text"]}]} for each in headings]
    inline = [part for link in links for part in ({"type": "text", "text": " · "}, link)]
    at = section["content"].index(headings[0])
    section["content"].insert(at, {"type": "paragraph", "inlineContent": inline[1:]})


def entries(page, path):
    """What the search finds of a page: names in both languages, CF's counterpart, headings of guides."""
    names = [page["metadata"].get("title", "")]
    module = next((each["name"] for each in page["metadata"].get("modules", [])), "Guides")
    for override in page.get("variantOverrides", []):
        names += [each["value"] for each in override["patch"] if each["path"] == "/metadata/title"]
    names += re.findall(r"CF: (\w+)", texts(page.get("abstract", [])) + texts(page.get("primaryContentSections", [])))
    yield [" ".join(dict.fromkeys(names)), path, f"{module}. {texts(page.get('abstract', []))[:90]}"]
    for section in page.get("primaryContentSections", []) if page["kind"] == "article" else []:
        for part in section.get("content", []):
            if part.get("type") == "heading" and part["level"] < 4:
                yield [f"{names[0]}: {part['text']}", f"{path}#{part['anchor']}", module]


def finish_pages(site):
    with open(f"{site}/data/documentation/guides.json") as file:
        references = json.load(file)["references"]
    guides = {each["title"]: link for link, each in references.items() if link.startswith(GUIDES)}
    found = []
    for data in sorted(glob.glob(f"{site}/data/**/*.json", recursive=True)):
        page = json.loads(read(data))
        path, linked = "/" + os.path.relpath(data, f"{site}/data")[:-5], set()
        link_guides(page, guides, linked)
        page.setdefault("references", {}).update({link: references[link] for link in linked})
        add_contents(page)
        found += entries(page, path)
        with open(data, "w") as file:
            json.dump(page, file, separators=(",", ":"))
    with open(f"{site}/search.json", "w") as file:
        json.dump(found, file, separators=(",", ":"))
    shutil.copy("Docs/Site/search.html", site)
    return found


def finish_frame(site):
    """Puts header and footer into each page, and gives the other language its name."""
    parts = "".join(f'<template id="custom-{part}">{read(f"Docs/Site/{part}.html")}</template>' for part in ("header", "footer"))
    for path in glob.glob(f"{site}/documentation/**/index.html", recursive=True):
        text = read(path)
        with open(path, "w") as file:
            text = text.replace("/favicon.ico", "/favicon.svg")
            file.write(re.sub(r"<body[^>]*>", lambda tag: tag.group() + parts, text, count=1))
    shutil.copy("Docs/Site/favicon.svg", site)
    scripts = [path for path in glob.glob(f"{site}/js/*.js") if 'name:"Objective-C"' in read(path)]
    if not scripts:
        sys.exit("site: DocC's scripts do not name the languages as they did")
    for path in scripts:
        text = read(path).replace('name:"Objective-C"', 'name:"C"')
        with open(path, "w") as file:
            file.write(text)


def finish(site):
    found = finish_pages(site)
    finish_frame(site)
    print(f"docs: search finds {len(found)} entries")
