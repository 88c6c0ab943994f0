/**
 * Compiles the kernel again: `node packages/face-engine/src/search/build-kernel.ts`. What it writes is committed, and a
 * test compares it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import asc from 'assemblyscript/asc'
import { KERNELS, kernelFile, type KernelKind } from './kernel.ts'

const SOURCE = new URL('../../assembly/kernel.ts', import.meta.url)
const FEATURES: Record<KernelKind, string> = { relaxed: 'simd,relaxed-simd', plain: 'simd' }

/** The source as WebAssembly. @throws Error with the compiler's words where it does not compile */
export async function compileKernel(kind: KernelKind): Promise<Uint8Array> {
  let compiled: Uint8Array | undefined
  const options = ['--runtime', 'stub', '--noAssert', '--importMemory', '-O3', '--enable', FEATURES[kind]]
  const { error, stderr } = await asc.main(['kernel.ts', '--outFile', 'kernel.wasm', ...options], {
    readFile: (name) => (name === 'kernel.ts' ? readFileSync(SOURCE, 'utf8') : null),
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm') compiled = contents as Uint8Array
    },
    listFiles: () => [],
  })
  if (error !== null || compiled === undefined) throw new Error(`the kernel does not compile: ${stderr.toString()}`)
  return compiled
}

if (import.meta.main) for (const kind of KERNELS) writeFileSync(kernelFile(kind), await compileKernel(kind))
