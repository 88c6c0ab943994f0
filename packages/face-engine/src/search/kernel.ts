/** The compiled kernel (`assembly/kernel.ts`): with relaxed SIMD where the machine has it, else with plain SIMD. */
import { readFileSync } from 'node:fs'

/** The memory a kernel works on; growing it replaces `buffer`. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer
  /** @throws RangeError when there is no more */
  grow(pages: number): number
}

/** What is used here of WebAssembly, whose types come with those of a browser only. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => KernelMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { env: { memory: KernelMemory } }) => { exports: unknown }
  validate(bytes: Uint8Array): boolean
}

export const KERNEL_PAGE = 65_536
/** WebAssembly's 4 GB less the last page, so that the end of an address never wraps round to 0. */
export const KERNEL_PAGES = 65_535

export const KERNELS = ['relaxed', 'plain'] as const
export type KernelKind = (typeof KERNELS)[number]

/** What the kernel exports; addresses are bytes in the memory it was given. */
export interface Kernel {
  /** The next four rows of a chunk that need a closer look: 16 times the first one's number plus a bit for each, or −1. */
  scan(
    chunk: number,
    from: number,
    probe: number,
    width: number,
    scale: number,
    square: number,
    length: number,
    error: number,
    bound: number,
  ): number
  /** The sum of `bytes` (a multiple of 64) of memory as 64-bit numbers: the yardstick of the benchmark. */
  readAll(from: number, bytes: number): bigint
}

const modules = new Map<KernelKind, object>()

/** Where the compiled kernel lies. */
export const kernelFile = (kind: KernelKind): URL => new URL(`kernel-${kind}.wasm`, import.meta.url)

/** The fastest kernel that this machine's WebAssembly takes. */
export function bestKernel(): KernelKind {
  return WebAssembly.validate(readFileSync(kernelFile('relaxed'))) ? 'relaxed' : 'plain'
}

/** One page, and room to grow. */
export const newMemory = (): KernelMemory => new WebAssembly.Memory({ initial: 1, maximum: KERNEL_PAGES })

/** A kernel at work on `memory`. */
export function startKernel(kind: KernelKind, memory: KernelMemory): Kernel {
  let module = modules.get(kind)
  if (module === undefined) modules.set(kind, (module = new WebAssembly.Module(readFileSync(kernelFile(kind)))))
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Kernel
}
