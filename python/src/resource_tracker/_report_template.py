"""The report's page; its values are put in by tiny_bars."""

_STYLE = """
body { margin: 0; padding: 24px; background: #082f49; color: #fff;
  font: 15px/1.4 system-ui, sans-serif; }
h2 { font-size: 20px; margin: 24px 0 8px; }
p { margin: 0 0 8px; color: #cbd5e1; }
.cards { display: grid; gap: 8px;
  grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); }
.card { background: #06263a; border-left: 3px solid #38bdf8;
  padding: 8px 12px; }
.card.task { border-color: #34d399; } .card.failed { border-color: #f56565; }
.card span { color: #cbd5e1; font-size: 13px; display: block; }
.chart { background: #06263a; padding: 12px 16px; margin-top: 16px; }
.chart h2 { margin: 0; }
.plot { display: flex; height: 260px; }
.labels { position: relative; width: 80px; flex: none; font-size: 12px; }
.labels i { position: absolute; right: 8px; transform: translateY(-50%);
  font-style: normal; color: #cbd5e1; white-space: nowrap; }
svg { flex: 1; overflow: hidden; cursor: crosshair; touch-action: none; }
path, line { fill: none; vector-effect: non-scaling-stroke; }
.grid { stroke: #334155; } .cross { stroke: #94a3b8; }
.process { stroke: #34d399; color: #34d399; }
.system { stroke: #38bdf8; color: #38bdf8; }
.second { stroke-dasharray: 6 4; } path { stroke-width: 1.5; }
.legend b { margin-right: 16px; font-weight: 600; }
.times { display: flex; justify-content: space-between; font-size: 12px;
  color: #cbd5e1; margin-left: 80px; }
"""

# Zooming moves the view boxes of all charts; a double click shows all.
_SCRIPT = """
var plots = [].slice.call(document.querySelectorAll(".chart"));
function unit(value, kind) {
  if (kind === "count") return String(Math.round(value * 100) / 100);
  var base = kind === "gb" ? 1000 : 1024;
  var names = kind === "gb" ? ["B", "kB", "MB", "GB", "TB"]
    : ["B", "KiB", "MiB", "GiB", "TiB"];
  var at = 0;
  while (value >= base && at < 4) { value /= base; at++; }
  return Math.round(value * 10) / 10 + " " + names[at];
}
function clock(seconds) {
  return new Date(seconds * 1000).toLocaleString();
}
function view(from, to) {
  plots.forEach(function (plot) {
    var svg = plot.querySelector("svg"), times = data[plot.id].times;
    svg.setAttribute("viewBox", from + " 0 " + (to - from) + " 100");
    plot.querySelector(".from").textContent = clock(times[0] + from);
    plot.querySelector(".to").textContent = clock(times[0] + to);
  });
}
function show(x) {
  plots.forEach(function (plot) {
    var of = data[plot.id], best = 0;
    of.times.forEach(function (time, at) {
      var now = Math.abs(time - of.times[0] - x);
      if (now < Math.abs(of.times[best] - of.times[0] - x)) best = at;
    });
    var cross = plot.querySelector(".cross");
    var at = of.times[best] - of.times[0];
    cross.setAttribute("x1", at);
    cross.setAttribute("x2", at);
    plot.querySelectorAll(".now").forEach(function (text, line) {
      text.textContent = " " + unit(of.values[line][best], of.kind);
    });
    plot.querySelector(".at").textContent = clock(of.times[best]);
  });
}
plots.forEach(function (plot) {
  var svg = plot.querySelector("svg"), began = null;
  function at(event) {
    var box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
    return view.x + (event.clientX - box.left) / box.width * view.width;
  }
  svg.addEventListener("pointermove", function (event) { show(at(event)); });
  svg.addEventListener("pointerdown", function (event) {
    began = at(event);
  });
  svg.addEventListener("pointerup", function (event) {
    var ended = at(event);
    if (began !== null && Math.abs(ended - began) > 0.01 *
        svg.viewBox.baseVal.width)
      view(Math.min(began, ended), Math.max(began, ended));
    began = null;
  });
  svg.addEventListener("dblclick", function () {
    view(0, Number(plot.dataset.seconds));
  });
});
if (plots.length) view(0, Number(plots[0].dataset.seconds));
"""

TEMPLATE = "<html><head><meta charset=\"utf-8\">" + """
<title>Resource use</title><style>""" + _STYLE + """</style></head><body>
{{#each groups as group}}
<h2>{{ group.title }}</h2>
<div class="cards">
{{#each group.cards as card}}
<div class="card {{ card.of }}"><span>{{ card.label }}</span>{{ card.value }}
</div>
{{/each}}
</div>
{{/each}}
{{#each charts as chart}}
<div class="chart" id="{{ chart.name }}" data-seconds="{{ chart.seconds }}">
<h2>{{ chart.title }}</h2><p>{{ chart.what }} <span class="at"></span></p>
<p class="legend">
{{#each chart.lines as line}}
<b class="{{ line.look }}">{{ line.name }}<span class="now"></span></b>
{{/each}}
</p>
<div class="plot"><div class="labels">
{{#each chart.grid as grid}}
<i style="top:{{ grid.y }}%">{{ grid.label }}</i>
{{/each}}
</div>
<svg preserveAspectRatio="none" viewBox="0 0 {{ chart.seconds }} 100">
{{#each chart.grid as grid}}
<line class="grid" x1="-1e9" x2="1e9" y1="{{ grid.y }}" y2="{{ grid.y }}"/>
{{/each}}
{{#each chart.lines as line}}
<path class="{{ line.look }}" d="{{ line.path }}"/>
{{/each}}
<line class="cross" x1="-1" x2="-1" y1="0" y2="100"/>
</svg></div>
<div class="times"><span class="from"></span><span class="to"></span></div>
</div>
{{/each}}
<p>Made from <code>{{ integration }}</code>, samples by
{{ implementation }}, {{ now | unix_timestamp_to_local_tz_string }}</p>
<script>var data = {{{ data }}};""" + _SCRIPT + """</script>
</body></html>
"""
