/** Fetching against a real server that misbehaves as servers and networks do. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { download, DownloadFailed, isComplete, type Download } from './download.ts'

const content = randomBytes(300_000)
let folder: string
let server: Server
let requests: (string | undefined)[]
let answer: (request: IncomingMessage, response: ServerResponse) => void

const item = (changes: Partial<Download> = {}): Download => ({
  file: 'model.onnx',
  address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`,
  sha256: createHash('sha256').update(content).digest('hex'),
  bytes: content.length,
  ...changes,
})
const fetched = () => readFileSync(join(folder, 'model.onnx'))
const quick = { pauseMs: 1 }

/** Sends what was asked for, whole or from a byte on; after `most` bytes it sends no more. */
function serve(request: IncomingMessage, response: ServerResponse, most = Infinity): void {
  const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const rest = content.subarray(start)
  response.writeHead(start > 0 ? 206 : 200, { 'content-length': rest.length })
  if (most >= rest.length) response.end(rest)
  else response.write(rest.subarray(0, most))
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-models-'))
  requests = []
  server = createServer((request, response) => {
    requests.push(request.headers.range)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

describe('a model file', () => {
  it('is fetched once, and not again while it is what it should be', async () => {
    answer = serve
    expect(await isComplete(item(), folder)).toBe(false)
    expect(await download(item(), folder)).toBe(true)
    expect(fetched()).toEqual(content)
    expect(await download(item(), folder)).toBe(false)
    expect(requests).toEqual([undefined])
    writeFileSync(join(folder, 'model.onnx'), randomBytes(content.length))
    expect(await isComplete(item(), folder)).toBe(false)
    expect(await download(item(), folder)).toBe(true)
    expect(fetched()).toEqual(content)
  })

  it('goes on where a connection broke', async () => {
    answer = (request, response) => serve(request, response, 100_000)
    const breaks = (bytes: number): void => void ((bytes === 100_000 || bytes === 200_000) && server.closeAllConnections())
    expect(await download(item(), folder, { ...quick, onProgress: breaks })).toBe(true)
    expect(fetched()).toEqual(content)
    expect(requests).toEqual([undefined, 'bytes=100000-', 'bytes=200000-'])
  })

  it('goes on where an earlier run was ended', async () => {
    const ending = new AbortController()
    answer = (request, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 120_000))
      void request
    }
    await expect(
      download(item(), folder, { signal: ending.signal, onProgress: (bytes) => bytes >= 120_000 && ending.abort() }),
    ).rejects.toThrow(/abort/i)
    expect(existsSync(join(folder, 'model.onnx'))).toBe(false)
    answer = serve
    expect(await download(item(), folder)).toBe(true)
    expect(requests).toEqual([undefined, 'bytes=120000-'])
    expect(fetched()).toEqual(content)
  })

  it('starts over with a server that does not know ranges', async () => {
    writeFileSync(join(folder, 'model.onnx.part'), content.subarray(0, 50_000))
    answer = (request, response) => response.writeHead(200).end(content)
    expect(await download(item(), folder)).toBe(true)
    expect(fetched()).toEqual(content)
  })

  it('that is another one is thrown away, with a sentence', async () => {
    answer = (request, response) => response.end(randomBytes(content.length))
    await expect(download(item(), folder)).rejects.toThrow(/is not the file it should be: its SHA-256 is [0-9a-f]{64} instead of/)
    expect(existsSync(join(folder, 'model.onnx'))).toBe(false)
    expect(existsSync(join(folder, 'model.onnx.part'))).toBe(false)
    answer = serve
    expect(await download(item(), folder)).toBe(true)
  })

  it('that never ends is not written to the disk', async () => {
    answer = (request, response) => {
      const more = (): void => void (response.destroyed || response.write(content, () => setImmediate(more)))
      more()
    }
    await expect(download(item(), folder)).rejects.toThrow(/is larger than the 300000 bytes/)
    expect(existsSync(join(folder, 'model.onnx'))).toBe(false)
    expect(readFileSync(join(folder, 'model.onnx.part'))).toHaveLength(0)
  })

  it('that is not there is asked for once; a server in trouble several times', async () => {
    answer = (request, response) => response.writeHead(404).end()
    await expect(download(item(), folder, quick)).rejects.toThrow(/the server answered 404/)
    expect(requests).toHaveLength(1)
    answer = (request, response) => (requests.length < 4 ? response.writeHead(503).end() : serve(request, response))
    expect(await download(item(), folder, quick)).toBe(true)
    expect(requests).toHaveLength(4)
  })

  it('that cannot be had ends with a sentence saying why and that nothing is lost', async () => {
    answer = (request, response) => response.destroy()
    const failing = download(item(), folder, { ...quick, attempts: 3 })
    await expect(failing).rejects.toBeInstanceOf(DownloadFailed)
    await expect(failing).rejects.toThrow(/could not be fetched from .* Run the command again/)
    expect(requests).toHaveLength(3)
  })
})
