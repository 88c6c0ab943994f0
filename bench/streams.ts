/** Reads response bodies to their end, and measures the minimum cost of such a stream. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

/** Read a body to its end without keeping it. */
export async function drained(response: Response): Promise<number> {
  if (!response.ok) throw new Error(`an export answers ${response.status}`)
  let bytes = 0
  for await (const part of response.body as AsyncIterable<Uint8Array>) bytes += part.length
  return bytes
}

/** Return the seconds a bare stream of this many bytes takes over HTTP. */
export async function bareStream(bytes: number): Promise<number> {
  const part = Buffer.alloc(65_536, 'x')
  const server = createServer((_, response) => {
    Readable.from(Array.from({ length: Math.ceil(bytes / part.length) }, () => part)).pipe(response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const startedAt = performance.now()
  await drained(await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  const seconds = (performance.now() - startedAt) / 1_000
  server.close()
  return seconds
}
