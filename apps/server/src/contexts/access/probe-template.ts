import type { AccessDependencies } from './dependencies.ts'

type Probe = Awaited<ReturnType<AccessDependencies['faces']['probe']>>

/** An embedding as templates are written: little-endian float32. */
export function templateOf({ embedding }: Probe): Uint8Array {
  const bytes = Buffer.alloc(embedding.length * 4)
  embedding.forEach((value, place) => bytes.writeFloatLE(value, place * 4))
  return bytes
}
