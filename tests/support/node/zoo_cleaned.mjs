// SPDX-License-Identifier: Apache-2.0
// For tests/system/zoo_cleaned.py: runs pairs of models on the same inputs. A line for each run: {"equal": true}, or what is
// {"other"} than before; {"unknown"} where the model as it was does not run.
//     node zoo_cleaned.mjs FOLDER-OF-onnxruntime-web CASES.json
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , folder, list] = process.argv
const { default: ort } = await import(pathToFileURL(path.join(folder, 'dist', 'ort.wasm.min.js')).href)
ort.env.wasm.numThreads = 1
ort.env.logLevel = 'error'

let state = 1
const random = () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff
const small = () => Math.floor(random() * 2)  // an index that every table has
const KINDS = {
  float32: [Float32Array, () => random() - 0.5],
  int64: [BigInt64Array, () => BigInt(small())],
  int32: [Int32Array, small],
  bool: [Uint8Array, small],
}

function feeds(inputs, sizes) {
  const made = {}
  for (const [name, input] of Object.entries(inputs)) {
    const dims = input.dims.map((dim) => (typeof dim === 'number' ? dim : sizes[dim]))
    const [array, element] = KINDS[input.elem_type]
    made[name] = new ort.Tensor(input.elem_type, array.from({ length: dims.reduce((a, b) => a * b, 1) }, element), dims)
  }
  return made
}

const near = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))

function difference(before, after) {
  for (const [name, was] of Object.entries(before)) {
    const now = after[name]
    if (!now || String(was.dims) !== String(now.dims)) return `${name} has the dims ${now?.dims}, had ${was.dims}`
    const at = was.data.findIndex((x, i) => !near(Number(x), Number(now.data[i])))
    if (at >= 0) return `${name}[${at}] is ${now.data[at]}, was ${was.data[at]}`
  }
  return null
}

const attempt = async (what) => what().then((value) => ({ value }), (error) => ({ error: String(error).slice(0, 200) }))
const load = (file) => attempt(() => ort.InferenceSession.create(fs.readFileSync(file), { graphOptimizationLevel: 'disabled' }))
const say = (name, answer) => console.log(JSON.stringify({ name, ...answer }))

for (const { name, inputs, sizes, models } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
  const [was, now] = [await load(models[0]), await load(models[1])]
  if (was.error || now.error) {
    say(name, was.error ? { unknown: was.error } : { other: now.error })
    continue
  }
  for (const given of sizes) {
    const values = feeds(inputs, given)
    const before = await attempt(() => was.value.run(values))
    const after = before.error ? before : await attempt(() => now.value.run(values))
    const other = before.error ? null : after.error ?? difference(before.value, after.value)
    say(name, before.error ? { unknown: before.error } : other ? { other: `${JSON.stringify(given)}: ${other}` } : { equal: true })
  }
}
