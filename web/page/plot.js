/* Plots on a canvas: frames, ticks, points with errors, lines; what is under the pointer. */
'use strict';

globalThis.EquantPlot = class {
  /* tell(point): text of what is under the pointer, or null; pick(x, from, to): a click;
   * toggle(index): a click on a point. */
  constructor(canvas, {xLabel = '', yLabel = '', isLog = false, tell = null, pick = null, toggle = null} = {}) {
    Object.assign(this, {canvas, xLabel, yLabel, isLog, tell, pick, layers: [], marks: []});
    this.context = canvas.getContext('2d');
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    canvas.addEventListener('pointermove', event => this.#hover(event));
    canvas.addEventListener('pointerleave', () => { this.hover = null; this.draw(); });
    if (toggle) canvas.addEventListener('click', event => {
      this.hover = {x: event.offsetX, y: event.offsetY};
      const point = this.xRange && this.nearest();
      if (point) toggle(point.index);
    });
    if (pick) canvas.addEventListener('click', event => {
      if (this.xRange) pick(this.#xOf(event.offsetX), this.#xOf(event.offsetX - 8), this.#xOf(event.offsetX + 8));
    });
  }

  /* layers: {kind: 'points' | 'line' | 'peaks', x, y, error, colour(i)}; marks: {x | y, text}. */
  show(xRange, yRange, layers, marks = []) {
    Object.assign(this, {xRange, yRange, layers, marks, hover: xRange && this.hover});
    this.draw();
  }

  #hover(event) {
    if (!this.xRange) return;
    this.hover = {x: event.offsetX, y: event.offsetY};
    this.draw();
  }

  #place(x) {
    const [low, high] = this.xRange;
    return this.isLog ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low);
  }
  #x(x) { return this.left + this.#place(x) * this.width; }
  #y(y) { return this.top + this.height * (1 - (y - this.yRange[0]) / (this.yRange[1] - this.yRange[0])); }
  #xOf(pixel) {
    const [low, high] = this.xRange, share = (pixel - this.left) / this.width;
    return this.isLog ? low * (high / low) ** share : low + share * (high - low);
  }

  #colour(name) { return this.style.getPropertyValue(`--${name}`); }

  static ticks([low, high], most) {
    const rough = (high - low) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(n => n * power).find(size => size >= rough * 0.999) ?? 10 * power;
    const list = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) list.push(k * step);
    return {list, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9))};
  }

  static logTicks([low, high]) {
    const list = [];
    for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++)
      for (const n of [1, 2, 5]) {
        const value = n * 10 ** power;
        if (value >= low && value <= high) list.push({value, isMain: n === 1});
      }
    return list;
  }

  draw() {
    const ratio = devicePixelRatio || 1, {clientWidth: width, clientHeight: height} = this.canvas;
    if (width === 0) return;
    if (!this.xRange) return this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.style = getComputedStyle(document.documentElement);
    Object.assign(this, {left: 52, top: 8, width: width - 70, height: height - (this.xLabel ? 50 : 32)});
    const c = this.context;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    c.font = '12px system-ui, "Liberation Sans", sans-serif';
    this.#axes(c);
    c.save();
    c.beginPath();
    c.rect(this.left, this.top, this.width, this.height);
    c.clip();
    for (const layer of this.layers)
      ({points: () => this.#points(c, layer), line: () => this.#line(c, layer),
        peaks: () => this.#peaks(c, layer)})[layer.kind]();
    c.restore();
    for (const mark of this.marks) this.#mark(c, mark);
    if (this.hover && this.tell) this.#answer(c);
  }

  #axes(c) {
    const {left, top, width, height} = this, ink = this.#colour('ink'), rule = this.#colour('rule');
    c.lineWidth = 1;
    c.fillStyle = ink;
    c.textBaseline = 'middle';
    c.textAlign = 'right';
    const yTicks = EquantPlot.ticks(this.yRange, height / 28);
    for (const value of yTicks.list) {
      const y = this.#y(value);
      c.strokeStyle = rule;
      c.beginPath(); c.moveTo(left, y); c.lineTo(left + width, y); c.stroke();
      c.fillText(value.toFixed(yTicks.digits).replace('-', '−'), left - 7, y);
    }
    c.textAlign = 'center';
    c.textBaseline = 'top';
    c.strokeStyle = this.#colour('edge');
    const tick = (value, text) => {
      const x = this.#x(value);
      c.beginPath(); c.moveTo(x, top + height); c.lineTo(x, top + height + (text ? 5 : 3)); c.stroke();
      if (text) c.fillText(text, Math.min(x, left + width - 4), top + height + 8);
    };
    if (this.isLog) {
      const all = EquantPlot.logTicks(this.xRange), isCrowded = all.length > width / 44;
      for (const {value, isMain} of all)
        tick(value, isMain || !isCrowded ? value.toLocaleString('en', {maximumFractionDigits: 3}) : '');
    } else {
      const {list, digits} = EquantPlot.ticks(this.xRange, width / 80);
      for (const value of list) tick(value, value.toFixed(digits).replace('-', '−'));
    }
    c.strokeRect(left, top, width, height);
    c.fillStyle = this.#colour('quiet');
    if (this.xLabel) c.fillText(this.xLabel, left + width / 2, top + height + 26);
    c.save();
    c.translate(11, top + height / 2);
    c.rotate(-Math.PI / 2);
    c.textBaseline = 'middle';
    c.fillText(this.yLabel, 0, 0);
    c.restore();
  }

  #points(c, {x, y, error, colour, size = 2.4, hollow = () => false}) {
    c.lineWidth = 0.7;
    c.strokeStyle = this.#colour('pale');
    c.beginPath();
    for (let i = 0; error && i < x.length; i++) {
      const at = this.#x(x[i]);
      c.moveTo(at, this.#y(y[i] - error[i]));
      c.lineTo(at, this.#y(y[i] + error[i]));
    }
    c.stroke();
    c.globalAlpha = 0.85;
    const colours = Array.from({length: 7}, (_, i) => this.#colour(`i${i + 1}`));
    /* All of a colour at once, which is faster. */
    for (const [k, name] of colours.entries())
      for (const isHollow of [false, true]) {
        const radius = isHollow ? size + 1 : size;
        c.fillStyle = c.strokeStyle = name;
        c.beginPath();
        for (let i = 0; i < x.length; i++)
          if (colour(i) % 7 === k && hollow(i) === isHollow) {
            const at = this.#x(x[i]), height = this.#y(y[i]);
            c.moveTo(at + radius, height);
            c.arc(at, height, radius, 0, 2 * Math.PI);
          }
        if (isHollow) c.stroke();
        else c.fill();
      }
    c.globalAlpha = 1;
  }

  #line(c, {x, y, width = 1.2}) {
    c.lineWidth = width;
    c.lineJoin = 'round';
    c.strokeStyle = this.#colour('ink');
    c.globalAlpha = 0.75;
    c.beginPath();
    for (let i = 0; i < x.length; i++) c.lineTo(this.#x(x[i]), this.#y(y[i]));
    c.stroke();
    c.globalAlpha = 1;
  }

  /* Many numbers as the highest of each column of pixels. */
  #peaks(c, {x, y}) {
    const highest = new Float64Array(Math.ceil(this.width * 2) + 1).fill(NaN);
    for (let i = 0; i < x.length; i++) {
      const column = Math.round((this.#x(x[i]) - this.left) * 2);
      if (column >= 0 && column < highest.length && !(highest[column] >= y[i])) highest[column] = y[i];
    }
    c.lineWidth = 1;
    c.strokeStyle = this.#colour('accent');
    c.beginPath();
    for (let i = 0; i < highest.length; i++)
      if (!Number.isNaN(highest[i])) c.lineTo(this.left + i / 2, this.#y(highest[i]));
    c.stroke();
  }

  #mark(c, {x, y, text}) {
    c.strokeStyle = c.fillStyle = this.#colour('quiet');
    c.lineWidth = 0.9;
    c.setLineDash([4, 3]);
    c.beginPath();
    if (y !== undefined) {
      if (y > this.yRange[1]) { c.setLineDash([]); return; }
      c.moveTo(this.left, this.#y(y)); c.lineTo(this.left + this.width, this.#y(y));
      c.textAlign = 'left'; c.textBaseline = 'bottom';
      c.fillText(text, this.left + 5, this.#y(y) - 1);
    } else {
      c.moveTo(this.#x(x), this.top); c.lineTo(this.#x(x), this.top + this.height);
      c.textAlign = 'left'; c.textBaseline = 'top';
      c.fillText(text, this.#x(x) + 4, this.top + 4);
    }
    c.stroke();
    c.setLineDash([]);
  }

  /* Where a point of the first layer is, in pixels. */
  pixelOf(i) { return [this.#x(this.layers[0].x[i]), this.#y(this.layers[0].y[i])]; }

  /* The nearest point of the first layer of points, or the column under the pointer. */
  nearest() {
    const layer = this.layers.find(one => one.kind === 'points');
    if (!layer) return {x: this.#xOf(this.hover.x), from: this.#xOf(this.hover.x - 2), to: this.#xOf(this.hover.x + 2)};
    let best = -1, least = 400;
    for (let i = 0; i < layer.x.length; i++) {
      const off = (this.#x(layer.x[i]) - this.hover.x) ** 2 + (this.#y(layer.y[i]) - this.hover.y) ** 2;
      if (off < least) { least = off; best = i; }
    }
    return best < 0 ? null : {index: best};
  }

  #answer(c) {
    const point = this.nearest(), text = point && this.tell(point);
    if (!text) return;
    const width = c.measureText(text).width + 14;
    const x = Math.min(Math.max(this.hover.x + 12, this.left), this.left + this.width - width);
    const y = Math.max(this.top, this.hover.y - 34);
    c.fillStyle = this.#colour('wash');
    c.strokeStyle = this.#colour('edge');
    c.lineWidth = 0.8;
    c.beginPath(); c.roundRect(x, y, width, 24, 5); c.fill(); c.stroke();
    c.fillStyle = this.#colour('ink');
    c.textAlign = 'left';
    c.textBaseline = 'middle';
    c.fillText(text, x + 7, y + 12.5);
  }
};
