/** Loads tensor arithmetic (WebAssembly, one thread) and the face detection package, once per thread. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as tensorflow from '@tensorflow/tfjs-core'

const require = createRequire(import.meta.url)
/** The one copy that the detection package uses too. */
export const tf = require('@tensorflow/tfjs-core') as typeof tensorflow

const backend = require('@tensorflow/tfjs-backend-wasm') as { setThreadsCount(threads: number): void }

/** Its package.json exports another build, so the WebAssembly one is addressed by path. */
export const humanPath = join(dirname(require.resolve('@vladmandic/human')), 'human.node-wasm.js')
export const wasmFolder = dirname(require.resolve('@tensorflow/tfjs-backend-wasm')) + '/'
export const recognitionFolder = join(dirname(require.resolve('@vladmandic/face-api')), '../model')

let prepared = false

/** Sets the two switches without which a second thread hangs, and lets models be read from files. */
export function prepareTensors(): void {
  if (prepared) return
  prepared = true
  backend.setThreadsCount(1)
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  // Null leaves an address to the other routers, though the type does not say so.
  tf.io.registerLoadRouter((url) =>
    typeof url === 'string' && url.startsWith('file://') ? { load: () => readGraph(fileURLToPath(url)) } : null!,
  )
}

async function readGraph(path: string): Promise<tensorflow.io.ModelArtifacts> {
  const { weightsManifest, ...graph } = JSON.parse(await readFile(path, 'utf8')) as tensorflow.io.ModelJSON
  const files = await Promise.all(weightsManifest.flatMap(({ paths }) => paths).map((name) => readFile(join(dirname(path), name))))
  return {
    ...graph,
    weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
    weightData: new Uint8Array(Buffer.concat(files)).buffer,
  }
}

/** Loads a CommonJS package by path. */
export const load = (path: string): unknown => require(path)
