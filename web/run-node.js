/* node web/run-node.js MODULE.wasm [ARGUMENT...]: a module with files in memory, as a page runs it.
 * Arguments that are files here are given to it under their own names; what it writes below the
 * folder named by EQUANT_WEB_OUT comes back. Node 20 knows relaxed SIMD by an option:
 * node --experimental-wasm-relaxed-simd. */
'use strict';
const fs = require('fs'), path = require('path');
require('./page/wasi.js');

const [program, ...args] = process.argv.slice(2);
const out = process.env.EQUANT_WEB_OUT;
const files = new Map(args.filter(name => fs.existsSync(name) && fs.statSync(name).isFile())
  .map(name => [name, fs.readFileSync(name)]));
const wasi = new EquantWasi({args: [path.basename(program, '.wasm'), ...args], files,
  write: (stream, text) => fs.writeSync(stream, text)});
const instance = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(program)), wasi.imports);
const code = wasi.run(instance);
for (const [name, bytes] of out ? wasi.files(out) : []) {
  fs.mkdirSync(path.dirname(name), {recursive: true});
  fs.writeFileSync(name, bytes);
}
process.exitCode = code;
