/** The program itself, started as a user starts it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { scratchFolder } from './device/testing/folder.ts'
import { DEVICE } from './device/testing/objects.ts'
import { startTestServer } from './device/testing/server.ts'

/** Milliseconds a busy machine may take to start the program, face engine and all. */
const PATIENCE = 60_000
const until = (what: string, holds: () => boolean) =>
  vi.waitUntil(holds, { timeout: PATIENCE, interval: 20 }).catch(() => {
    throw new Error(`Waited in vain until ${what}`)
  })

/** Start the program with a server of the test, with the secret in a file. */
async function started(...options: string[]) {
  const secretFile = join(scratchFolder(), 'secret')
  writeFileSync(secretFile, `${DEVICE.secret}\n`, { mode: 0o600 })
  return startedWith({}, '--secret-file', secretFile, ...options)
}

/** Start the program with a server of the test. @param variables besides those of this process */
async function startedWith(variables: Record<string, string>, ...options: string[]) {
  const server = await startTestServer()
  const words = [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'main.ts'),
    '--server',
    server.url,
    '--code',
    DEVICE.code,
    '--data',
    scratchFolder(),
    '--port',
    '0',
    ...options,
  ]
  const program = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...variables } })
  const ended = once(program, 'exit') as Promise<[code: number | null, signal: string | null]>
  let said = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  onTestFinished(async () => {
    program.kill('SIGKILL')
    await ended
    await server.stop()
  })
  return { server, program, ended, starts: () => said.split('shows its screen').length - 1, said: () => said }
}

test('restarts at the server’s word as the same process', { tags: 'extended', timeout: 3 * PATIENCE }, async () => {
  const { server, program, ended, starts, said } = await startedWith({ GATEHOUSE_SECRET: DEVICE.secret })
  await until('it is online', () => server.statuses.at(-1)?.online === true)
  server.command({ id: 'c-1', name: 'restart', argument: {} })
  await until('it has started again', () => starts() === 2)
  await until('it is online again', () => server.paired.length === 2 && server.statuses.at(-1)?.online === true)
  expect(program.exitCode, said()).toBeNull()
  program.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test(
  'leaves the start to a supervisor that was promised, by its exit code',
  async () => {
    const { server, ended, starts, said } = await started('--supervised')
    await until('it is online', () => server.statuses.at(-1)?.online === true)
    server.command({ id: 'c-1', name: 'restart', argument: {} })
    expect(await ended, said()).toEqual([75, null])
    expect(starts()).toBe(1)
  },
  2 * PATIENCE,
)

test(
  'says in one sentence which option of the door it does not understand',
  async () => {
    const { ended, said } = await started('--door', 'relay')
    expect(await ended).toEqual([1, null])
    expect(said()).toMatch(/--door relay is unknown/)
  },
  PATIENCE,
)

test.skipIf(process.platform !== 'linux')(
  'takes the secret from a file or a variable, so that it stands in no list of processes; on the command line it warns',
  async () => {
    const ways: [variables: Record<string, string>, options: string[]][] = [[{ GATEHOUSE_SECRET: DEVICE.secret }, []]]
    const openFile = join(scratchFolder(), 'secret')
    writeFileSync(openFile, DEVICE.secret, { mode: 0o644 })
    ways.push([{}, ['--secret-file', openFile]], [{}, ['--secret', DEVICE.secret]])
    const seen: { listed: boolean; warned: string }[] = []
    for (const [variables, options] of ways) {
      const { server, program, ended, said } = await startedWith(variables, ...options)
      await until('it is online', () => server.statuses.at(-1)?.online === true)
      const listed = readFileSync(`/proc/${program.pid}/cmdline`, 'utf8').includes(DEVICE.secret)
      seen.push({
        listed,
        warned:
          said()
            .split('\n')
            .find((line) => line.startsWith('Everybody')) ?? '',
      })
      program.kill('SIGTERM')
      await ended
    }
    expect(seen).toEqual([
      { listed: false, warned: '' },
      { listed: false, warned: `Everybody on this machine can read ${openFile}: chmod 600 ${openFile} leaves it to its owner.` },
      { listed: true, warned: expect.stringContaining('--secret-file') },
    ])
  },
  4 * PATIENCE,
)

test(
  'says in one sentence what is wrong with a secret or a name it was started with',
  async () => {
    for (const [options, sentence] of [
      [['--secret-file', '/nowhere/secret'], /--secret-file \/nowhere\/secret cannot be read/],
      [['--secret', 'a', '--secret-file', 'b'], /do not go together/],
      [[], /--secret-file are needed/],
      [['--secret', 'a', '--allow-host', 'http://gate.example'], /--allow-host http:\/\/gate.example is neither/],
      [['--secret', 'a', '--door-open-for', '0', '--pins', 'real'], /--door-open-for 0 is no number .*\n--pins real is unknown/],
    ] as const) {
      const { ended, said } = await startedWith({}, ...options)
      expect(await ended).toEqual([1, null])
      expect(said()).toMatch(sentence)
    }
  },
  4 * PATIENCE,
)
