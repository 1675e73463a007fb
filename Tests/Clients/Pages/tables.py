#!/usr/bin/env -S python3 -B
"""Measures the tables of the site's pages in a browser.

usage: Tests/Clients/Pages/tables.py SITE

At 1,280 pixels no table is wider than its column; at 400 a wider table scrolls, and no other reaches out of the window.
"""

import glob
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import threading

MEASURE = """<!doctype html><meta charset="utf-8"><iframe style="border: 0; height: 900px"></iframe><script>
const frame = document.querySelector("iframe")
const pause = time => new Promise(done => setTimeout(done, time))
async function measure(page, found) {
    frame.style.width = "1280px"
    frame.src = page
    await new Promise(done => frame.onload = done)
    const tables = () => [...frame.contentDocument.querySelectorAll("main table")]
    for (let n = 0; n < 2000 && tables().length == 0; n++) await pause(30)
    if (tables().length == 0) found.push(page + ": shows no table")
    for (const width of [1280, 400]) {
        frame.style.width = width + "px"
        const wide = () => tables().flatMap(table => {
            const wrapper = table.closest(".table-wrapper"), column = wrapper.parentElement.clientWidth
            const scrolls = width == 400 && getComputedStyle(wrapper).overflowX == "auto" && wrapper.getBoundingClientRect().right <= width
            if (scrolls || (table.offsetWidth <= column + 1 && table.getBoundingClientRect().right <= width)) return []
            return [`${page}: at ${width} a table takes ${table.offsetWidth} of ${column}: ${table.rows[0].innerText.replace(/\\s+/g, " ")}`]
        })
        await pause(60)
        // The page may still change its layout.
        for (let n = 0; n < 300 && wide().length > 0; n++) await pause(30)
        found.push(...wide())
    }
}
(async () => {
    const found = []
    for (const page of PAGES) await measure(page, found)
    await fetch("/", { method: "POST", body: JSON.stringify(found) })
})()
</script>"""


def measure(site, pages):
    """What a browser finds wrong with the tables of pages."""
    found, done = [], threading.Event()

    class Server(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

        def do_GET(self):
            if self.path != "/measure":
                return super().do_GET()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(MEASURE.replace("PAGES", json.dumps(pages)).encode())

        def do_POST(self):
            found.extend(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            done.set()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *arguments: Server(*arguments, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = next((name for name in ("chromium-headless-shell", "chromium", "chromium-browser") if shutil.which(name)), None)
    if browser is None:
        return ["no Chromium is installed: run CSupport/bootstrap.sh --ci"]
    # A root user's browser has no sandbox; the pages are ours. A new session has all its processes.
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"http://127.0.0.1:{server.server_port}/measure"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    ended = done.wait(1200)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return found if ended else ["the browser did not measure all pages in 20 minutes"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    site, pages = sys.argv[1], []
    for path in sorted(glob.glob(f"{site}/data/**/*.json", recursive=True)):
        with open(path) as file:
            if '"type":"table"' in file.read():
                pages.append(f"/{os.path.relpath(path, f'{site}/data')[:-5]}/")
    problems = measure(site, pages)
    for problem in problems:
        print(problem)
    failed = {problem.split(": ")[0] for problem in problems}
    print(f"{len(pages) - len(failed)} passed, {len(failed)} failed")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
