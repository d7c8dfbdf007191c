/* The page: files in, the command in a worker, planets under sliders. Texts are set as text. */
'use strict';

const $ = id => document.getElementById(id);
const ELEMENTS = ['period_days', 'k_m_s', 'eccentricity', 'omega_deg', 'm0_deg'];
const NAMES = {period_days: ['P', 'days', 'period'], k_m_s: ['K', 'm/s', 'semi-amplitude'],
  eccentricity: ['e', '', 'eccentricity'], omega_deg: ['ω', '°', 'argument of pericentre'],
  m0_deg: ['M₀', '°', 'phase: mean anomaly at the reference time']};
const DEGREE = Math.PI / 180, LETTERS = 'bcdefghijklmnop';
const state = {files: new Map(), paths: [], star: null, planets: [], jitters: new Map(), leftOut: new Set(), trend: 0, search: null,
  past: [], results: new Map()};
const workers = {}; // by what they are for
let live, commandModule, plots;

/* --- Modules ---------------------------------------------------------------------- */

/* A file of the page: within it, where it is one file, or beside it; both compressed. */
async function bytesOf(name) {
  const inlined = $(`file-${name}`);
  const packed = inlined ? Uint8Array.from(atob(inlined.textContent.trim()), c => c.charCodeAt(0))
    : new Uint8Array(await (await fetch(`${name}.gz`)).arrayBuffer());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/* (func (param v128 v128 v128) (result v128) (f64x2.relaxed_madd ...)): whether the browser knows
 * fused products. If not, there are modules without, which are slower. */
const hasFusedProducts = () => WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96,
  3, 123, 123, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32, 1, 32, 2, 253, 135, 2, 11]));

async function openLive() {
  const wasi = new EquantWasi({});
  const {instance} = await WebAssembly.instantiate(await bytesOf(hasFusedProducts() ? 'live.wasm' : 'live_plain.wasm'), wasi.imports);
  wasi.bind(instance)._initialize?.();
  live = {...instance.exports, wasi, memory: instance.exports.memory,
    text(at) {
      const bytes = new Uint8Array(this.memory.buffer);
      return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
    },
    doubles(at, n) { return new Float64Array(this.memory.buffer, at, n); }};
}

const command = () => commandModule ??= bytesOf(hasFusedProducts() ? 'equant.wasm' : 'plain.wasm')
  .then(bytes => WebAssembly.compile(bytes));

function newWorker() {
  const source = $('file-worker.js');
  if (!source) return new Worker('worker.js');
  const text = $('file-wasi.js').textContent + source.textContent;
  return new Worker(URL.createObjectURL(new Blob([text], {type: 'text/javascript'})));
}

const stop = purpose => workers[purpose]?.stop();

/* Runs the command to its end in a worker, in place of one that had the same purpose; progress
 * hears of it. Resolves to null when stopped. */
async function run(purpose, args, files, {out = null, progress = () => {}} = {}) {
  let isStopped = false;
  stop(purpose);
  const entry = workers[purpose] = {stop: () => { isStopped = true; }};
  const module = await command();
  if (isStopped) return null;
  const own = newWorker();
  return new Promise(resolve => {
    const end = answer => {
      own.terminate();
      if (workers[purpose] === entry) delete workers[purpose];
      resolve(answer);
    };
    entry.stop = () => end(null);
    own.onmessage = ({data}) => data.progress ? progress(data.progress) : end(data);
    own.onerror = event => end({code: 1, printed: '', said: event.message, files: new Map()});
    own.postMessage({module, args, files, out});
  });
}

const sentence = said => said.split('\n').filter(line => line && !line.startsWith('Help:')).join('\n')
  .replace(/^equant: /gm, '');

/* --- Words ------------------------------------------------------------------------ */

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function say(text) { $('status').textContent = text; }

function complain(text) {
  $('error').hidden = !text;
  $('error').textContent = text;
}

const rounded = (value, digits) => Number(value).toPrecision(digits).replace(/\.?0+($|e)/, '$1');

/* As many digits of a value as its error has two of. */
function withError(value, error) {
  if (!(error > 0)) return '';
  const digits = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(error))));
  return `fitted ${value.toFixed(digits)} ± ${error.toFixed(digits)}`;
}

function periodText(days) { return `${days < 100 ? days.toFixed(3) : days.toFixed(1)} days`; }

/* --- The star ---------------------------------------------------------------------- */

const isDemo = () => state.files.size === 0;
const isLeftOut = i => state.leftOut.has(state.all.times[i]);

/* What the command reads: its words and the files. The demonstration becomes a file where some of it
 * is left out. */
function material() {
  const files = new Map(state.files), isWhole = state.leftOut.size === 0;
  if (isDemo() && isWhole) return {words: ['--demo'], files};
  if (isDemo()) files.set('hd164922.csv', demonstrationTable());
  const words = [...files.keys()];
  if (state.reference !== null || !isWhole) words.push('--t-ref', String(state.star.reference));
  for (const time of state.leftOut) words.push('--leave-out-times', `${time}:${time}`);
  return {words, files};
}

function demonstrationTable() {
  const {times, velocities, uncertainties, instruments, names, n} = state.all;
  const rows = Array.from({length: n}, (_, i) => `${times[i]},${velocities[i]},${uncertainties[i]},${names[instruments[i]]}\n`);
  return new TextEncoder().encode(`time,velocity,uncertainty,instrument\n${rows.join('')}`);
}

function openStar() {
  for (const [path, bytes] of state.files) live.wasi.put(path, bytes);
  const text = new TextEncoder().encode(state.paths.map(path => `${path}\0`).join('') + '\0');
  const at = live.live_allocate(text.length);
  new Uint8Array(live.memory.buffer).set(text, at);
  const status = live.live_open(state.paths.length, at, state.reference ?? NaN);
  live.live_free(at);
  if (status !== 0) throw new Error(live.text(live.live_message()));
  const left = [...state.leftOut], list = live.live_allocate(8 * left.length + 8);
  live.doubles(list, left.length).set(left);
  const answer = live.live_leave_out(left.length, list);
  live.live_free(list);
  if (answer !== 0) throw new Error(live.text(live.live_message()));
  state.star = readStar();
  if (left.length === 0) state.all = state.star;
}

function readStar() {
  const n = live.live_n_obs(), copy = place => live.doubles(place, n).slice();
  return {n, times: copy(live.live_times()), velocities: copy(live.live_velocities()),
    uncertainties: copy(live.live_uncertainties()),
    instruments: new Int32Array(live.memory.buffer, live.live_instruments(), n).slice(),
    names: Array.from({length: live.live_n_instruments()}, (_, i) => live.text(live.live_instrument_name(i))),
    timeName: live.text(live.live_time_name()), reference: live.live_reference_time()};
}

/* Leaves the observations at a time out, or takes them back. */
function toggle(i) {
  const time = state.all.times[i], before = new Set(state.leftOut);
  if (!state.leftOut.delete(time)) state.leftOut.add(time);
  reopen(before);
}

function reopen(before) {
  complain('');
  try {
    openStar();
  } catch (error) {
    state.leftOut = before;
    openStar();
    complain(error.message);
  }
  showStar();
  evaluate();
  search();
}

async function load(given) {
  let record = null;
  Object.keys(workers).forEach(stop);
  complain('');
  try {
    record = recordOf(given);
  } catch (error) {
    complain(error.message);
    return;
  }
  const files = dataOf(given, record);
  Object.assign(state, {files, paths: [...files.keys()], reference: files.size > 0 ? record?.t_ref ?? null : null, planets: [], jitters: new Map(),
    leftOut: new Set(), trend: 0, hasNoise: false, search: null, past: [], results: new Map()});
  say('reading …');
  try {
    openStar();
  } catch (error) {
    $('star').hidden = true;
    say('');
    complain(error.message);
    return;
  }
  $('star').hidden = false;
  $('results').hidden = true;
  $('peaks').replaceChildren();
  $('understood').textContent = '';
  plots.periodogram.show(null);
  setPlanets([]);
  showStar();
  say('');
  if (record) adopt(record);
  state.past = [];
  $('undo').disabled = true;
  const told = await run('data', ['data', ...material().words], files);
  if (!told || state.files !== files) return;
  $('understood').textContent = told.printed + told.said;
  if (told.code !== 0) complain(sentence(told.said));
  await search();
}

/* Results of a fit, opened again: the record has the planets, the table of residuals the data. */
function recordOf(files) {
  for (const [path, bytes] of files) {
    if (!/(^|\/)fit\.json$/.test(path)) continue;
    const record = JSON.parse(new TextDecoder().decode(bytes));
    if (!Array.isArray(record.planets) || !Array.isArray(record.instruments)) throw new Error(`${path}: this is not a fit of velocities`);
    return record;
  }
  return null;
}

function dataOf(files, record) {
  const isResidual = path => /(^|\/)residuals\.ecsv$/.test(path);
  const isData = record && [...files.keys()].some(isResidual) ? isResidual : path => !path.endsWith('fit.json');
  return new Map([...files].filter(([path]) => isData(path)));
}

function showStar() {
  const {star} = state, span = star.times[star.n - 1] - star.times[0];
  $('summary').textContent = `${isDemo() ? 'HD 164922: ' : ''}${star.n} observations over ${span.toFixed(0)} days, ` +
    `${star.names.length} instrument${star.names.length > 1 ? 's' : ''}`;
  const n = state.all.n - star.n;
  $('left-out').hidden = n === 0;
  $('left-out-text').textContent = `${n} observation${n > 1 ? 's' : ''} left out`;
  $('legend').replaceChildren(...state.all.names.map((name, i) =>
    make('li', {}, make('i', {className: `c${i % 7}`}), name)));
}

/* --- The model: live ---------------------------------------------------------------- */

function fillParameters() {
  const n = state.planets.length, at = live.live_parameters();
  const row = live.doubles(at, 5 * n + state.star.names.length);
  state.planets.forEach((planet, i) => row.set(radians(planet), 5 * i));
  row.set(state.star.names.map(name => state.jitters.get(name) ?? 0), 5 * n);
}

const radians = planet => [planet.period_days, planet.k_m_s, planet.eccentricity,
  planet.omega_deg * DEGREE, planet.m0_deg * DEGREE];

function curveOf(planets, times) {
  live.doubles(live.live_curve_times(times.length), times.length).set(times);
  const at = live.live_allocate(8 * (5 * planets.length + 1));
  live.doubles(at, 5 * planets.length + 1).set([...planets.flatMap(radians), 0]);
  const place = live.live_curve(planets.length, at);
  live.live_free(at);
  return place ? live.doubles(place, times.length).slice() : new Float64Array(times.length);
}

function evaluate() {
  const {star} = state;
  if (live.live_model(state.planets.length, state.trend) !== 0)
    return complain(live.text(live.live_message()));
  fillParameters();
  if (live.live_evaluate() !== 0) return complain(live.text(live.live_message()));
  const [chiSquare, logLikelihood] = live.doubles(live.live_results(), 2);
  star.residuals = live.doubles(live.live_residuals(), star.n).slice();
  const linear = live.doubles(live.live_linear(), star.names.length + 2).slice();
  star.offsets = linear.slice(0, star.names.length);
  star.slopes = [...linear.slice(star.names.length)].map((value, i) => i < state.trend ? value : 0);
  const rms = Math.sqrt(star.residuals.reduce((sum, r) => sum + r * r, 0) / star.n);
  $('numbers').textContent = `χ² ${chiSquare.toFixed(1)}   ln L ${logLikelihood.toFixed(2)}   rms ${rms.toFixed(2)} m/s` +
    ([...state.jitters.values()].some(jitter => jitter > 0) ? ', with the jitters of the fit' : '') +
    (state.hasNoise ? '; without the correlated noise of the fit' : '');
  draw();
}

const trendAt = time => {
  const t = time - state.star.reference;
  return state.star.slopes[0] * t + state.star.slopes[1] * t * t;
};

/* --- Drawing ------------------------------------------------------------------------- */

function rangeOf(values, errors, margin = 0.06) {
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i] - (errors?.[i] ?? 0));
    high = Math.max(high, values[i] + (errors?.[i] ?? 0));
  }
  const edge = (high - low || 1) * margin;
  return [low - edge, high + edge];
}

function timeShift() {
  const first = state.star.times[0];
  return first > 1e5 ? Math.floor(first / 1000) * 1000 : 0;
}

function pointText(star, i, value) {
  return `${star.timeName} ${star.times[i].toFixed(3)}  ${value.toFixed(2)} ± ${star.uncertainties[i].toFixed(2)} m/s  ${star.names[star.instruments[i]]}`;
}

/* Residuals of all observations, those among them that are left out. */
function allResiduals(offsets) {
  const {all, star, planets} = state;
  if (all.n === star.n) return star.residuals;
  const curve = curveOf(planets, all.times);
  return all.velocities.map((v, i) => v - offsets.get(all.names[all.instruments[i]]) - curve[i] - trendAt(all.times[i]));
}

function draw() {
  const {star, all, planets} = state, shift = timeShift();
  const times = all.times.map(t => t - shift), xRange = rangeOf(times, null, 0.02);
  const offsets = new Map(all.names.map(name => [name, star.offsets[star.names.indexOf(name)] ?? 0]));
  const shown = all.velocities.map((v, i) => v - offsets.get(all.names[all.instruments[i]]));
  const points = {kind: 'points', x: times, error: all.uncertainties, colour: i => all.instruments[i], hollow: isLeftOut};
  const layers = [{...points, y: shown}];
  if (planets.length > 0) {
    const n = 3000, grid = Float64Array.from({length: n}, (_, i) => xRange[0] + (xRange[1] - xRange[0]) * i / (n - 1) + shift);
    const curve = curveOf(planets, grid).map((v, i) => v + trendAt(grid[i]));
    layers.push({kind: 'line', x: grid.map(t => t - shift), y: curve, width: 0.8});
  }
  plots.velocities.show(xRange, rangeOf(shown, all.uncertainties), layers);
  plots.residuals.xLabel = shift ? `${star.timeName} − ${shift} (days)` : `${star.timeName} (days)`;
  const residuals = allResiduals(offsets);
  plots.residuals.show(xRange, rangeOf(residuals, all.uncertainties), [{...points, y: residuals}], [{y: 0, text: ''}]);
  $('velocities').setAttribute('aria-label', `${star.n} velocities over time` +
    (planets.length ? ` with the curve of ${planets.length} planets` : ''));
  $('residuals').setAttribute('aria-label', 'Residuals over time');
  planets.forEach(drawPhase);
}

function drawPhase(planet) {
  if (!planet.plot) return;
  const {star} = state, turn = planet.period_days, n = 300;
  const own = curveOf([planet], star.times);
  const phases = star.times.map(t => (((t - star.reference) / turn) % 1 + 1) % 1);
  const velocities = own.map((v, i) => v + star.residuals[i]);
  const grid = Float64Array.from({length: n}, (_, i) => star.reference + turn * i / (n - 1));
  planet.plot.show([0, 1], rangeOf(velocities, star.uncertainties), [
    {kind: 'points', x: phases, y: velocities, error: star.uncertainties, colour: i => state.all.names.indexOf(star.names[star.instruments[i]]), size: 2},
    {kind: 'line', x: grid.map(t => (t - star.reference) / turn), y: curveOf([planet], grid), width: 1.6}]);
}

/* --- The periodogram ------------------------------------------------------------------- */

function orbitsTable() {
  const columns = state.planets.flatMap((_, i) => ELEMENTS.map(name => `${name}_${i + 1}`));
  return new TextEncoder().encode(`${columns.join(',')}\n${state.planets.flatMap(planet =>
    ELEMENTS.map(name => planet[name])).join(',')}\n`);
}

function columnsOf(bytes) {
  const lines = new TextDecoder().decode(bytes).split('\n').filter(line => line && line[0] !== '#');
  const names = lines.shift().split(','), columns = {};
  const x = names.indexOf('period'), y = names.indexOf('power_circular');
  columns.period = new Float64Array(lines.length);
  columns.power = new Float64Array(lines.length);
  lines.forEach((line, i) => {
    const cells = line.split(',');
    columns.period[i] = cells[x];
    columns.power[i] = cells[y];
  });
  return columns;
}

async function search() {
  const {words, files} = material(), known = state.planets.length > 0;
  if (known) files.set('known-planets.csv', orbitsTable());
  $('periodogram-of').textContent = 'searching circles of all periods …';
  const told = await run('search', ['search', ...words, '--circular', '--noise', 'white', '--json', '--no-pictures',
    '--out', 'periodogram', ...known ? ['--known', 'known-planets.csv'] : []], files, {out: 'periodogram'});
  if (!told) return;
  if (told.code !== 0) {
    $('periodogram-of').textContent = sentence(told.said);
    return;
  }
  state.search = {...columnsOf(told.files.get('periodogram/periodogram.ecsv')), ...JSON.parse(told.printed)};
  $('periodogram-of').textContent = known ? `Circular orbits beside ${state.planets.length} planet${state.planets.length > 1 ? 's' : ''}; a click adds one of that period`
    : 'Circular orbits; a click adds a planet of that period';
  showPeriodogram();
}

function showPeriodogram() {
  const {period, power, peaks, levels} = state.search, top = power.reduce((a, b) => Math.max(a, b), 0);
  plots.periodogram.show([period[period.length - 1], period[0]], [0, Math.max(top * 1.12, 1e-6)],
    [{kind: 'peaks', x: period, y: power}],
    levels.filter(level => level.fap === 0.001).map(level => ({y: level.power, text: 'FAP 0.1 %'})));
  $('periodogram').setAttribute('aria-label', `Periodogram; highest peak at ${periodText(peaks[0]?.period_days ?? 0)}`);
  $('peaks').replaceChildren(...peaks.slice(0, 5).map(peak => {
    const chance = peak.fap < 1e-4 ? peak.fap.toExponential(0).replace('e-', '·10⁻').replace(/⁻(\d+)$/, (_, n) =>
      '⁻' + [...n].map(d => '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]).join('')) : rounded(peak.fap, 2);
    return make('button', {type: 'button', className: 'small', title: peak.remark || '',
      onclick: () => addPlanet(peak)}, `+ ${periodText(peak.period_days)}, FAP ${chance}`);
  }));
}

/* The highest frequency of the columns that a click means. */
function pickPeriod(low, high) {
  const {period, power} = state.search;
  let best = -1;
  for (let i = 0; i < period.length; i++)
    if (period[i] >= low && period[i] <= high && (best < 0 || power[i] > power[best])) best = i;
  return best < 0 ? null : period[best];
}

/* The circle of a period that fits the residuals best: K cos(x + omega), x from the reference time. */
function circleOf(period) {
  const {star} = state, sums = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]];
  for (let i = 0; i < star.n; i++) {
    const angle = 2 * Math.PI * (star.times[i] - star.reference) / period, w = star.uncertainties[i] ** -2;
    const row = [Math.cos(angle), Math.sin(angle), 1, star.residuals[i]];
    for (let a = 0; a < 3; a++) for (let b = 0; b < 4; b++) sums[a][b] += w * row[a] * row[b];
  }
  for (let a = 0; a < 3; a++)
    for (let b = a + 1; b < 3; b++) {
      const share = sums[b][a] / sums[a][a];
      for (let k = a; k < 4; k++) sums[b][k] -= share * sums[a][k];
    }
  const x = [0, 0, 0];
  for (let a = 2; a >= 0; a--)
    x[a] = (sums[a][3] - sums[a].slice(a + 1, 3).reduce((sum, s, k) => sum + s * x[a + 1 + k], 0)) / sums[a][a];
  const turn = Math.atan2(-x[1], x[0]) / DEGREE;
  return {period_days: period, k_m_s: Math.hypot(x[0], x[1]), eccentricity: 0, omega_deg: 0,
    m0_deg: (turn + 360) % 360};
}

/* --- Planets as cards ------------------------------------------------------------------- */

function remember() {
  state.past.push(state.planets.map(({plot, ...planet}) => ({...planet})));
  $('undo').disabled = false;
}

function setPlanets(planets) {
  state.planets = planets;
  showCards();
  evaluate();
}

function addPlanet(orbit) {
  remember();
  const planet = Object.fromEntries(ELEMENTS.map(name => [name, orbit[name]]));
  if (planet.eccentricity === 0) { planet.m0_deg = (planet.m0_deg + planet.omega_deg + 720) % 360; planet.omega_deg = 0; }
  setPlanets([...state.planets, planet]);
  search();
}

function rangesOf(planet) {
  const span = state.star.times[state.star.n - 1] - state.star.times[0];
  const width = Math.min(0.5, 2 * planet.period_days / Math.max(span, 1e-9));
  const scatter = rangeOf(state.star.velocities, null, 0);
  return {period_days: [planet.period_days * Math.exp(-width), planet.period_days * Math.exp(width)],
    k_m_s: [0, Math.max(3 * planet.k_m_s, (scatter[1] - scatter[0]) / 4)], eccentricity: [0, 0.95],
    omega_deg: [0, 360], m0_deg: [0, 360]};
}

const LIMITS = {period_days: [1e-3, 1e7], k_m_s: [0, 1e7], eccentricity: [0, 0.999], omega_deg: [-360, 720], m0_deg: [-360, 720]};

function elementRow(planet, name, letter) {
  const [symbol, unit, word] = NAMES[name], range = rangesOf(planet)[name], digits = name === 'period_days' ? 8 : 5;
  const label = `planet ${letter}: ${word}${unit ? ` in ${unit.replace('°', 'degrees')}` : ''}`;
  const slider = make('input', {type: 'range', min: range[0], max: range[1], step: 'any', value: planet[name]});
  const number = make('input', {type: 'number', step: 'any', value: rounded(planet[name], digits)});
  slider.setAttribute('aria-label', `${label}, slider`);
  number.setAttribute('aria-label', label);
  const move = (value, other) => {
    planet[name] = value;
    other.value = other === number ? rounded(value, digits) : value;
    requestEvaluation();
  };
  const begin = () => remember();
  slider.addEventListener('pointerdown', begin);
  slider.addEventListener('keydown', event => { if (!event.repeat && event.key.startsWith('Arrow')) begin(); });
  slider.addEventListener('input', () => move(Number(slider.value), number));
  number.addEventListener('change', () => {
    const value = Number(number.value), [least, most] = LIMITS[name];
    if (number.value === '' || !(value >= least && value <= most)) { number.value = rounded(planet[name], digits); return; }
    begin();
    if (value < slider.min) slider.min = value;
    if (value > slider.max) slider.max = value;
    move(value, slider);
  });
  const fitted = make('small', {textContent: planet.fitted ? withError(planet.fitted[name], planet.fitted[`${name}_err`]) : ''});
  return make('div', {className: 'element'}, make('span', {textContent: unit ? `${symbol} (${unit})` : symbol, title: word}),
    slider, number, fitted);
}

function cardOf(planet, i) {
  const letter = LETTERS[i] ?? String(i + 1), canvas = make('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `Velocities of planet ${letter} folded at its period`);
  const remove = make('button', {type: 'button', className: 'small', textContent: 'Remove', onclick: () => {
    remember();
    setPlanets(state.planets.filter(one => one !== planet));
    search();
  }});
  remove.setAttribute('aria-label', `Remove planet ${letter}`);
  const known = planet.fitted, words = known && known.probability !== null
    ? `probability ${known.probability > 0.99 ? '> 99' : (100 * known.probability).toFixed(0)} %` : '';
  const card = make('article', {className: 'card'},
    make('div', {className: 'head'}, make('h3', {textContent: `Planet ${letter}`}),
      make('span', {className: 'quiet', textContent: words}), remove),
    make('div', {className: 'body'},
      make('div', {}, ...ELEMENTS.map(name => elementRow(planet, name, letter))), canvas));
  planet.plot = new EquantPlot(canvas, {xLabel: 'phase', yLabel: 'velocity (m/s)',
    tell: point => pointText(state.star, point.index, planet.plot.layers[0].y[point.index])});
  return card;
}

function showCards() {
  $('cards').replaceChildren(...state.planets.map(cardOf));
  $('from-cards').disabled = state.planets.length === 0;
  if (state.planets.length === 0) $('from-cards').checked = false;
}

let isRequested = false;
function requestEvaluation() {
  if (isRequested) return;
  isRequested = true;
  requestAnimationFrame(() => { isRequested = false; evaluate(); });
}

/* --- The fit ------------------------------------------------------------------------------ */

function fitArguments(words) {
  const number = $('number').value, noise = $('noise').value;
  return ['fit', ...words, ...number !== 'auto' ? ['--planets', number] : [],
    ...noise !== 'auto' ? ['--noise', noise] : [], ...$('from-cards').checked ? ['--start', 'planets.csv'] : [],
    '--out', 'results'];
}

function setWorking(isWorking) {
  $('fit').disabled = isWorking;
  $('stop').hidden = !isWorking;
  $('work').hidden = !isWorking;
  $('progress').removeAttribute('value');
  $('progress-text').textContent = isWorking ? 'begun' : '';
}

function showProgress({percent, text}) {
  if (percent === null) $('progress').removeAttribute('value');
  else $('progress').value = percent;
  if (text) $('progress-text').textContent = text;
}

async function fit() {
  complain('');
  const {words, files} = material(), args = fitArguments(words);
  if ($('from-cards').checked) files.set('planets.csv', orbitsTable());
  setWorking(true);
  const begun = performance.now();
  const told = await run('fit', [...args, '--format', 'svg'], files, {out: 'results', progress: showProgress});
  setWorking(false);
  if (!told) { say('The fit was stopped; the planets are as before.'); return; }
  if (told.code !== 0) { complain(sentence(told.said)); return; }
  say(`The fit took ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  showFit(told, args);
  await search();
}

function showFit(told, args) {
  state.results = told.files;
  const json = told.files.get('results/fit.json');
  if (json) adopt(JSON.parse(new TextDecoder().decode(json)));
  $('command').textContent = `equant ${args.map(word => /^[\w.,:=+\/-]+$/.test(word) ? word : `'${word}'`).join(' ')}`;
  $('text').textContent = told.printed + sentence(told.said);
  $('results').hidden = false;
  showSaves();
}

function adopt(record) {
  remember();
  state.jitters = new Map(record.instruments.map(one => [one.name, one.jitter_m_s ?? 0]));
  state.trend = record.trend === null ? 0 : record.trend.quadratic_m_s_day2 !== null ? 2 : 1;
  state.hasNoise = record.noise !== null;
  setPlanets(record.planets.map(planet => ({...Object.fromEntries(ELEMENTS.map(name => [name, planet[name]])),
    fitted: planet})));
}

/* --- Saving --------------------------------------------------------------------------------- */

function save(name, bytes, type = 'text/plain') {
  const link = make('a', {href: URL.createObjectURL(new Blob([bytes], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const baseName = path => path.split('/').pop();

async function saveReport() {
  say('writing the report …');
  const files = new Map([...material().files, ...state.results]);
  const told = await run('report', ['report', 'results', '--out', 'report.html'], files, {out: 'report.html'});
  const page = told?.files.get('report.html');
  say('');
  if (page) save('report.html', page, 'text/html');
  else if (told) complain(sentence(told.said));
}

function showSaves() {
  const button = (text, onclick, className = 'small') => make('button', {type: 'button', className, textContent: text, onclick});
  $('saves').replaceChildren(button('Save the report', saveReport, 'primary'),
    ...[...state.results].map(([path, bytes]) => button(baseName(path), () => save(baseName(path), bytes))));
}

/* --- The beginning ---------------------------------------------------------------------------- */

async function take(list) {
  const files = new Map();
  for (const file of list) {
    let name = file.name.replace(/^-/, './-');
    for (let i = 2; files.has(name); i++) name = file.name.replace(/(\.[^.]*)?$/, ` (${i})$1`);
    files.set(name, new Uint8Array(await file.arrayBuffer()));
  }
  if (files.size > 0) await load(files);
}

/* Files that came with the page, by `equant view`. */
function filesWithin() {
  const files = new Map();
  for (const node of document.querySelectorAll('script[data-path]'))
    files.set(node.dataset.path, Uint8Array.from(atob(node.textContent.trim()), c => c.charCodeAt(0)));
  return files;
}

function listen() {
  $('files').addEventListener('change', event => { take([...event.target.files]); event.target.value = ''; });
  $('demo').addEventListener('click', () => load(new Map()));
  $('fit').addEventListener('click', fit);
  $('stop').addEventListener('click', () => stop('fit'));
  $('add').addEventListener('click', () => addPlanet(state.search?.peaks[0] ?? circleOf(10)));
  $('take-back').addEventListener('click', () => { const before = state.leftOut; state.leftOut = new Set(); reopen(before); });
  $('undo').addEventListener('click', () => {
    const before = state.past.pop();
    $('undo').disabled = state.past.length === 0;
    if (before) setPlanets(before);
  });
  addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('drop'); });
  addEventListener('dragleave', () => document.body.classList.remove('drop'));
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('drop');
    take([...event.dataTransfer.files]);
  });
}

async function begin() {
  for (let n = 0; n <= 8; n++) $('number').append(make('option', {value: n, textContent: n}));
  plots = {
    velocities: new EquantPlot($('velocities'), {yLabel: 'velocity (m/s)', toggle,
      tell: ({index}) => pointText(state.all, index, plots.velocities.layers[0].y[index])}),
    residuals: new EquantPlot($('residuals'), {yLabel: 'residual', toggle,
      tell: ({index}) => pointText(state.all, index, plots.residuals.layers[0].y[index])}),
    periodogram: new EquantPlot($('periodogram'), {xLabel: 'period (days)', yLabel: 'power', isLog: true,
      tell: ({x, from, to}) => periodText(pickPeriod(from, to) ?? x),
      pick: (x, low, high) => { const period = pickPeriod(low, high); if (period) addPlanet(circleOf(period)); }}),
  };
  showCards();
  try {
    await openLive();
  } catch (error) {
    return complain(`This browser cannot run equant: ${error.message}`);
  }
  listen();
  document.body.dataset.ready = 'yes';
  const within = filesWithin();
  if (within.size > 0) await load(within);
  document.body.dataset.module = hasFusedProducts() ? 'fused' : 'plain';
  command().catch(error => complain(`This browser cannot run equant: ${error.message}`));
}

begin();
