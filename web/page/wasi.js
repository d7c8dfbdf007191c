/* The system interface (WASI preview 1) that equant meets in a browser: files in memory, a clock,
 * two streams to write to. There is no way to a network in it. Runs in pages, workers and Node. */
'use strict';

globalThis.EquantWasi = class {
  /* files: Map of path to Uint8Array, all below "/"; write(stream, text) hears standard output (1)
   * and standard error (2); isTerminal: progress is shown on standard error. */
  constructor({args = [], env = {}, files = new Map(), write = () => {}, isTerminal = false} = {}) {
    this.args = args;
    this.env = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    this.write = write;
    this.isTerminal = isTerminal;
    this.decoders = {1: new TextDecoder(), 2: new TextDecoder()};
    this.lastInode = 1n;
    this.root = this.#folder();
    for (const [path, bytes] of files) this.put(path, bytes);
    this.open = [null, null, null, {node: this.root, isPreopened: true}];
  }

  #folder() { return {entries: new Map(), inode: this.lastInode++, time: Date.now()}; }

  #file(bytes) {
    return {bytes, size: bytes.length, inode: this.lastInode++, time: Date.now()};
  }

  #parts(path) {
    const parts = [];
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return parts;
  }

  #find(path, from = this.root) {
    let node = from;
    for (const part of this.#parts(path)) node = node?.entries?.get(part);
    return node;
  }

  #parent(path, from = this.root) {
    const parts = this.#parts(path), name = parts.pop();
    let node = from;
    for (const part of parts) node = node?.entries?.get(part);
    return {folder: node?.entries ? node : undefined, name};
  }

  put(path, bytes) {
    let node = this.root;
    const parts = this.#parts(path), name = parts.pop();
    for (const part of parts) {
      if (!node.entries.has(part)) node.entries.set(part, this.#folder());
      node = node.entries.get(part);
    }
    node.entries.set(name, this.#file(bytes));
  }

  /* All files below a folder, as a Map of path to bytes. */
  files(path) {
    const found = new Map();
    const walk = (node, name) => {
      if (node?.entries) for (const [part, child] of node.entries) walk(child, `${name}/${part}`);
      else if (node) found.set(name, node.bytes.slice(0, node.size));
    };
    walk(this.#find(path), path.replace(/\/$/, ''));
    return found;
  }

  bind(instance) {
    this.memory = instance.exports.memory;
    return instance.exports;
  }

  /* Runs a program to its end; returns its exit code. */
  run(instance) {
    try {
      this.bind(instance)._start();
      return 0;
    } catch (stop) {
      if (stop instanceof EquantExit) return stop.code;
      throw stop;
    }
  }

  get #view() { return new DataView(this.memory.buffer); }
  #bytes(at, n) { return new Uint8Array(this.memory.buffer, at, n); }
  #text(at, n) { return new TextDecoder().decode(this.#bytes(at, n).slice()); }

  #buffers(at, n) {
    const view = this.#view, list = [];
    for (let i = 0; i < n; i++)
      list.push(this.#bytes(view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true)));
    return list;
  }

  #strings(list, pointers, memory) {
    for (const text of list) {
      const bytes = new TextEncoder().encode(text + '\0');
      this.#view.setUint32(pointers, memory, true);
      this.#bytes(memory, bytes.length).set(bytes);
      pointers += 4;
      memory += bytes.length;
    }
    return 0;
  }

  #sizes(list, number, size) {
    const encoder = new TextEncoder();
    this.#view.setUint32(number, list.length, true);
    this.#view.setUint32(size, list.reduce((n, text) => n + encoder.encode(text).length + 1, 0), true);
    return 0;
  }

  #reserve(node, size) {
    if (size > node.bytes.length) {
      const grown = new Uint8Array(Math.max(size, 2 * node.bytes.length, 4096));
      grown.set(node.bytes.subarray(0, node.size));
      node.bytes = grown;
    }
    if (size > node.size) {
      node.bytes.fill(0, node.size, size);
      node.size = size;
    }
  }

  #writeFile(handle, buffers, position) {
    const node = handle.node;
    let written = 0;
    for (const buffer of buffers) {
      this.#reserve(node, position + written + buffer.length);
      node.bytes.set(buffer, position + written);
      written += buffer.length;
    }
    node.time = Date.now();
    return written;
  }

  #readFile(handle, buffers, position) {
    let read = 0;
    for (const buffer of buffers) {
      const piece = handle.node.bytes.subarray(Math.min(position + read, handle.node.size),
        Math.min(position + read + buffer.length, handle.node.size));
      buffer.set(piece);
      read += piece.length;
    }
    return read;
  }

  #stat(node, at) {
    const view = this.#view, time = BigInt(node.time) * 1000000n;
    view.setBigUint64(at, 1n, true);
    view.setBigUint64(at + 8, node.inode, true);
    view.setUint8(at + 16, node.entries ? TYPE.folder : TYPE.file);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(node.size ?? 0), true);
    for (const place of [40, 48, 56]) view.setBigUint64(at + place, time, true);
    return 0;
  }

  #openPath(folder, path, flags, access, fdFlags) {
    const {folder: parent, name} = this.#parent(path, folder);
    let node = name === undefined ? folder : parent?.entries.get(name);
    if (!parent) return ERROR.noEntry;
    if (node && (flags & OPEN.create) && (flags & OPEN.exclusive)) return ERROR.exists;
    if (!node && !(flags & OPEN.create)) return ERROR.noEntry;
    if (!node) parent.entries.set(name, node = this.#file(new Uint8Array(0)));
    if ((flags & OPEN.folder) && !node.entries) return ERROR.notFolder;
    if (node.entries && (access & RIGHT_WRITE)) return ERROR.isFolder;
    if (flags & OPEN.truncate) node.size = 0;
    this.opened = this.open.push({node, position: 0, appends: (fdFlags & 1) !== 0}) - 1;
    return 0;
  }

  #rename(from, to) {
    const node = from.folder?.entries.get(from.name);
    if (!node || !to.folder) return ERROR.noEntry;
    if (to.folder.entries.get(to.name)?.entries?.size) return ERROR.notEmpty;
    from.folder.entries.delete(from.name);
    to.folder.entries.set(to.name, node);
    return 0;
  }

  #remove(path, from, wantsFolder) {
    const {folder, name} = this.#parent(path, from), node = folder?.entries.get(name);
    if (!node) return ERROR.noEntry;
    if (wantsFolder !== Boolean(node.entries)) return wantsFolder ? ERROR.notFolder : ERROR.isFolder;
    if (node.entries?.size) return ERROR.notEmpty;
    folder.entries.delete(name);
    return 0;
  }

  #list(handle, at, n, cookie, used) {
    let place = 0, number = 0n;
    const encoder = new TextEncoder(), out = this.#bytes(at, n);
    for (const [name, node] of handle.node.entries) {
      if (number++ < cookie) continue;
      const bytes = encoder.encode(name), entry = new Uint8Array(24 + bytes.length);
      const view = new DataView(entry.buffer);
      view.setBigUint64(0, number, true);
      view.setBigUint64(8, node.inode, true);
      view.setUint32(16, bytes.length, true);
      view.setUint8(20, node.entries ? TYPE.folder : TYPE.file);
      entry.set(bytes, 24);
      out.set(entry.subarray(0, n - place), place);
      place = Math.min(n, place + entry.length);
      if (place === n) break;
    }
    this.#view.setUint32(used, place, true);
    return 0;
  }

  /* A call on an open file or folder; wrong numbers are answered. */
  #with(number, action) {
    const handle = this.open[number];
    return handle ? action(handle) : ERROR.badNumber;
  }

  get imports() {
    const answer = (at, n) => { this.#view.setUint32(at, n, true); return 0; };
    const answerLong = (at, n) => { this.#view.setBigUint64(at, BigInt(n), true); return 0; };
    const calls = {
      args_sizes_get: (n, size) => this.#sizes(this.args, n, size),
      args_get: (pointers, memory) => this.#strings(this.args, pointers, memory),
      environ_sizes_get: (n, size) => this.#sizes(this.env, n, size),
      environ_get: (pointers, memory) => this.#strings(this.env, pointers, memory),
      clock_res_get: (id, at) => answerLong(at, 1000000),
      clock_time_get: (id, precision, at) => answerLong(at, id === 0
        ? Math.round(Date.now() * 1e6) : Math.round(performance.now() * 1e6)),
      random_get: (at, n) => {
        for (let first = 0; first < n; first += 65536)
          crypto.getRandomValues(this.#bytes(at + first, Math.min(65536, n - first)));
        return 0;
      },
      sched_yield: () => 0,
      proc_exit: code => { throw new EquantExit(code); },
      proc_raise: () => ERROR.notSupported,
      poll_oneoff: () => ERROR.notSupported,

      fd_prestat_get: (number, at) => this.#with(number, handle =>
        handle.isPreopened ? (this.#view.setUint8(at, 0), answer(at + 4, 1)) : ERROR.badNumber),
      fd_prestat_dir_name: (number, at) => { this.#bytes(at, 1)[0] = 47; return 0; },
      fd_fdstat_get: (number, at) => {
        const handle = this.open[number], isStream = number < 3, view = this.#view;
        if (!handle && !isStream) return ERROR.badNumber;
        const isTerminal = number === 2 && this.isTerminal;
        view.setUint8(at, !isStream ? (handle.node.entries ? TYPE.folder : TYPE.file)
          : isTerminal ? TYPE.characters : TYPE.unknown);
        view.setUint16(at + 2, 0, true);
        /* Without the right to seek, the C library sees a terminal. */
        view.setBigUint64(at + 8, isStream ? 0x1fffffdbn & ~0x24n : 0x1fffffffn, true);
        view.setBigUint64(at + 16, 0x1fffffffn, true);
        return 0;
      },
      fd_fdstat_set_flags: () => 0,
      fd_filestat_get: (number, at) => number < 3
        ? (this.#bytes(at, 64).fill(0), this.#view.setUint8(at + 16, TYPE.characters), 0)
        : this.#with(number, handle => this.#stat(handle.node, at)),
      fd_filestat_set_size: (number, size) => this.#with(number, handle => {
        this.#reserve(handle.node, Number(size));
        handle.node.size = Number(size);
        return 0;
      }),
      fd_filestat_set_times: () => 0,
      fd_advise: () => 0,
      fd_allocate: () => 0,
      fd_sync: () => 0,
      fd_datasync: () => 0,
      fd_close: number => this.#with(number, () => { this.open[number] = undefined; return 0; }),
      fd_renumber: (from, to) => this.#with(from, handle => {
        this.open[to] = handle;
        this.open[from] = undefined;
        return 0;
      }),
      fd_seek: (number, offset, whence, at) => this.#with(number, handle => {
        const base = [0, handle.position, handle.node.size][whence];
        if (base + Number(offset) < 0) return ERROR.invalid;
        handle.position = base + Number(offset);
        return answerLong(at, handle.position);
      }),
      fd_tell: (number, at) => this.#with(number, handle => answerLong(at, handle.position)),
      fd_read: (number, list, n, at) => number === 0 ? answer(at, 0)
        : this.#with(number, handle => {
          if (handle.node.entries) return ERROR.isFolder;
          const read = this.#readFile(handle, this.#buffers(list, n), handle.position);
          handle.position += read;
          return answer(at, read);
        }),
      fd_pread: (number, list, n, offset, at) => this.#with(number, handle =>
        answer(at, this.#readFile(handle, this.#buffers(list, n), Number(offset)))),
      fd_write: (number, list, n, at) => {
        const buffers = this.#buffers(list, n);
        if (number === 1 || number === 2) {
          for (const buffer of buffers)
            this.write(number, this.decoders[number].decode(buffer.slice(), {stream: true}));
          return answer(at, buffers.reduce((sum, buffer) => sum + buffer.length, 0));
        }
        return this.#with(number, handle => {
          const written = this.#writeFile(handle, buffers,
            handle.appends ? handle.node.size : handle.position);
          handle.position = (handle.appends ? handle.node.size - written : handle.position) + written;
          return answer(at, written);
        });
      },
      fd_pwrite: (number, list, n, offset, at) => this.#with(number, handle =>
        answer(at, this.#writeFile(handle, this.#buffers(list, n), Number(offset)))),
      fd_readdir: (number, at, n, cookie, used) => this.#with(number, handle =>
        handle.node.entries ? this.#list(handle, at, n, cookie, used) : ERROR.notFolder),

      path_open: (number, links, path, n, flags, access, inherited, fdFlags, at) =>
        this.#with(number, handle => {
          const status = this.#openPath(handle.node, this.#text(path, n), flags, access, fdFlags);
          return status === 0 ? answer(at, this.opened) : status;
        }),
      path_filestat_get: (number, links, path, n, at) => this.#with(number, handle => {
        const node = this.#find(this.#text(path, n), handle.node);
        return node ? this.#stat(node, at) : ERROR.noEntry;
      }),
      path_filestat_set_times: () => 0,
      path_create_directory: (number, path, n) => this.#with(number, handle => {
        const {folder, name} = this.#parent(this.#text(path, n), handle.node);
        if (!folder) return ERROR.noEntry;
        if (name === undefined || folder.entries.has(name)) return ERROR.exists;
        folder.entries.set(name, this.#folder());
        return 0;
      }),
      path_unlink_file: (number, path, n) => this.#with(number, handle =>
        this.#remove(this.#text(path, n), handle.node, false)),
      path_remove_directory: (number, path, n) => this.#with(number, handle =>
        this.#remove(this.#text(path, n), handle.node, true)),
      path_rename: (from, path, n, to, other, m) => this.#with(from, handle =>
        this.#with(to, target => this.#rename(this.#parent(this.#text(path, n), handle.node),
          this.#parent(this.#text(other, m), target.node)))),
    };
    /* Whatever else the C library may ask for is not there. */
    return {wasi_snapshot_preview1: new Proxy(calls, {
      get: (known, name) => known[name] ?? (() => ERROR.notSupported),
    })};
  }
};

globalThis.EquantExit = class extends Error {
  constructor(code) { super(`exit ${code}`); this.code = code; }
};

const TYPE = {unknown: 0, characters: 2, folder: 3, file: 4};
const OPEN = {create: 1, folder: 2, exclusive: 4, truncate: 8};
const RIGHT_WRITE = 64n;
const ERROR = {badNumber: 8, exists: 20, invalid: 28, isFolder: 31, noEntry: 44, notSupported: 58,
  notFolder: 54, notEmpty: 55};
