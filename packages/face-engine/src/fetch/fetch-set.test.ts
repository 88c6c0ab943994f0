/** The whole command against a local server: shown, asked, fetched, verified, resumed. */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const COMMAND = join(import.meta.dirname, 'main.ts')
const OFFERED = join(import.meta.dirname, '../../models/yunet-sface/model.json')

interface Manifest {
  detector: { file: string; address?: string; sha256: string; bytes: number; licence: string }
  embedder: Manifest['detector']
}

let folder: string
let server: Server
let files: Map<string, Buffer>
let asked: string[]
/** Bytes after which the server falls silent and cuts, once. */
let cutAfter: number | null

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-set-'))
  files = new Map()
  asked = []
  cutAfter = null
  server = createServer((request, response) => {
    const name = request.url!.slice('/models/'.length)
    asked.push(`${name} ${request.headers.range ?? 'whole'}`)
    const content = files.get(name)
    if (content === undefined) return void response.writeHead(404).end()
    const rest = content.subarray(Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0))
    response.writeHead(rest.length < content.length ? 206 : 200, { 'content-length': rest.length })
    if (cutAfter === null) return void response.end(rest)
    const most = cutAfter
    cutAfter = null
    response.write(rest.subarray(0, most))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const mirror = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/models`
const target = () => join(folder, 'set')

/** The set that is offered, with other bytes behind its names. */
function offer(changes: (manifest: Manifest) => void = () => {}): string {
  const manifest = JSON.parse(readFileSync(OFFERED, 'utf8')) as Manifest
  for (const part of [manifest.detector, manifest.embedder]) {
    const content = randomBytes(200_000)
    files.set(part.file, content)
    part.bytes = content.length
    part.sha256 = createHash('sha256').update(content).digest('hex')
  }
  changes(manifest)
  const path = join(folder, 'offered.json')
  writeFileSync(path, JSON.stringify(manifest))
  return path
}

/** Runs the command as a person would. @param until ends it once it has said this */
function command(words: string[], until?: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', COMMAND, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const hear = (chunk: Buffer): void => {
    said += String(chunk)
    if (until !== undefined && said.includes(until)) child.kill('SIGKILL')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

it('shows every file with address, size, hash and licence, and fetches nothing unasked', async () => {
  const { code, said } = await command(['--to', target()])
  const { detector, embedder } = JSON.parse(readFileSync(OFFERED, 'utf8')) as Manifest
  for (const part of [detector, embedder])
    for (const word of [part.file, part.address!, part.sha256, part.licence]) expect(said).toContain(word)
  expect(said).toContain('38.7 MB')
  expect(said).toContain('Say --yes to fetch it.')
  expect(code).toBe(1)
  expect(existsSync(target())).toBe(false)
})

it('fetches, verifies and says what to do next; a second run fetches nothing', async () => {
  const words = ['--set', offer(), '--from', mirror(), '--to', target(), '--yes']
  const first = await command(words)
  expect(first).toMatchObject({ code: 0 })
  expect(first.said).toContain(`MODEL_DIR=${target()}`)
  expect(readdirSync(target()).toSorted()).toEqual([...files.keys(), 'model.json'].toSorted())
  for (const [name, content] of files) expect(readFileSync(join(target(), name))).toEqual(content)
  const before = asked.length
  expect(await command(words)).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(before)
})

it('killed in the middle it goes on where it stopped, and half a set is none', async () => {
  const words = ['--set', offer(), '--from', mirror(), '--to', target(), '--yes']
  const [first, second] = [...files.keys()] as [string, string]
  cutAfter = 120_000
  await command(words, `${first}   60 %`)
  expect(existsSync(join(target(), 'model.json'))).toBe(false)
  expect(await command(words)).toMatchObject({ code: 0 })
  expect(asked).toEqual([`${first} whole`, `${first} bytes=120000-`, `${second} whole`])
  expect(readFileSync(join(target(), first))).toEqual(files.get(first))
})

it('a file that is not what it should be ends it with a sentence, and nothing looks complete', async () => {
  const set = offer((manifest) => (manifest.embedder.sha256 = '0'.repeat(64)))
  const { code, said } = await command(['--set', set, '--from', mirror(), '--to', target(), '--yes'])
  expect(code).toBe(1)
  expect(said).toContain('is not the file it should be')
  expect(existsSync(join(target(), 'model.json'))).toBe(false)
})

it.each([
  [['--from', 'ftp://x'], 'is no address'],
  [['--nonsense'], 'Usage:'],
  [['--set', '/nowhere/model.json'], 'The models could not be fetched'],
])('%j is answered by a sentence', async (words, sentence) => {
  const { code, said } = await command(['--to', target(), '--yes', ...words])
  expect(said).toContain(sentence)
  expect(said).not.toContain('    at ')
  expect(code).toBe(1)
})
