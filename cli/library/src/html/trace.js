
// An execution: what is known after each of its steps.

class Trace {
  constructor(data) {
    this.data = data;
    this.count = data.number.length;
    const { variables, variable, ends, calls } = data;
    // The writes of each variable, one after the other, and the step of each.
    this.start = new Int32Array(variables.length + 1);
    for (const v of variable) this.start[v + 1]++;
    for (let v = 0; v < variables.length; v++) this.start[v + 1] += this.start[v];
    const next = this.start.slice();
    this.writes = new Int32Array(variable.length);
    this.steps = new Int32Array(variable.length);
    for (let step = 0, write = 0; step < this.count; step++) {
      for (; write < ends[step]; write++) {
        const at = next[variable[write]]++;
        this.writes[at] = write;
        this.steps[at] = step;
      }
    }
    this.ofCall = new Map();
    this.ofObject = new Map();
    variables.forEach(([, call, object], v) => {
      const [map, key] = object >= 0 ? [this.ofObject, object] : [this.ofCall, call];
      if (!map.has(key)) map.set(key, []);
      map.get(key).push(v);
    });
    this.depth = new Int32Array(calls.length);
    calls.forEach(([, caller], call) => {
      this.depth[call] = caller < 0 ? 0 : this.depth[caller] + 1;
    });
  }

  what(step) {
    return this.data.strings[this.data.what[step]];
  }

  source(step) {
    return this.data.strings[this.data.source[step]];
  }

  /** The last write of a variable up to a step; -1 where there is none. */
  lastWrite(variable, step) {
    const at = above(this.steps, step, this.start[variable], this.start[variable + 1]) - 1;
    return at < this.start[variable] ? -1 : at;
  }

  /** What a variable holds after a step: text, object that it leads to, and whether the step changed it. */
  value(variable, step) {
    const at = this.lastWrite(variable, step);
    if (at < 0) return null;
    const { strings, value, target } = this.data;
    const write = this.writes[at];
    const first = at === this.start[variable];
    const changed = this.steps[at] === step && (first || value[this.writes[at - 1]] !== value[write]);
    return { text: strings[value[write]], target: target[write], changed };
  }

  /** The step before or behind this one that writes a variable. */
  otherWrite(variable, step, forward) {
    const [low, high] = [this.start[variable], this.start[variable + 1]];
    const at = forward ? above(this.steps, step, low, high) : above(this.steps, step - 1, low, high) - 1;
    return at >= low && at < high ? this.steps[at] : -1;
  }

  /** The call that is under way after a step. */
  call(step) {
    return this.data.enters[step] >= 0 ? this.data.enters[step] : this.data.call[step];
  }

  /** All calls under way after a step, the last first. */
  stack(step) {
    const stack = [];
    for (let call = this.call(step); call >= 0; call = this.data.calls[call][1]) stack.push(call);
    return stack;
  }

  /** The next step, in a direction, that is not deeper in calls than `less` above this one. */
  over(step, direction, less = 0) {
    const most = this.depth[this.data.call[step]] - less;
    let at = step + direction;
    while (at > 0 && at < this.count - 1 && this.depth[this.data.call[at]] > most) at += direction;
    return Math.min(Math.max(at, 0), this.count - 1);
  }
}
