/* Runs the command, one at a time: it gets a compiled module, words and files, and tells what is
 * written. wasi.js comes before it. */
'use strict';

if (typeof EquantWasi === 'undefined') importScripts('wasi.js');

/* "━━┄┄  42 %  text  3 s left", a line that is drawn again and again. */
function progressOf(text) {
  const line = text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').replace(/[━┄]/g, '').trim();
  const found = /^(\d+) %\s+(.*)$/.exec(line);
  return found ? {percent: Number(found[1]), text: found[2].replace(/\s{2,}/g, ', ')}
    : {percent: null, text: line};
}

/* What is written to a terminal: lines that end are words, one that is drawn anew is progress. */
class Terminal {
  line = '';
  said = '';
  write(text) {
    for (const piece of text.split(/(?<=[\r\n])/)) {
      this.line += piece;
      if (piece.endsWith('\n')) this.said += this.line.replace('\u001b[K', '');
      else if (piece.endsWith('\r')) postMessage({progress: progressOf(this.line)});
      if (/[\r\n]$/.test(piece)) this.line = '';
    }
  }
}

onmessage = ({data: {module, args, files, out}}) => {
  const terminal = new Terminal();
  let printed = '';
  const wasi = new EquantWasi({args: ['equant', ...args], env: {NO_COLOR: '1'}, files, isTerminal: true,
    write(stream, text) {
      if (stream === 1) printed += text;
      else terminal.write(text);
    }});
  try {
    const code = wasi.run(new WebAssembly.Instance(module, wasi.imports));
    postMessage({code, printed, said: terminal.said, files: out ? wasi.files(out) : new Map()});
  } catch (error) {
    postMessage({code: 1, printed, said: terminal.said || `the computation ended: ${error.message}`, files: new Map()});
  }
};
