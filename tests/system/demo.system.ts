/** `npm start` with the demo campus: removed while it is created, it removes nothing else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { createClient, logIn, type Client } from '@gatehouse/dev-env/client'
import { freePort } from '@gatehouse/server/platform/postgres/free-port'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { hasEnded, killProgram } from '../support/program.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ADMIN } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const PROGRAM = join(import.meta.dirname, '../../packages/dev-env/src/start.ts')

interface Started {
  /** Return its output so far. */
  said(): string
  /** Resolve once its output contains a text. */
  says(text: string): Promise<void>
  isRunning(): boolean
  /** Press Ctrl-C. @returns the exit code */
  end(): Promise<number | null>
}

function start(env: Record<string, string>): Started {
  const child = spawn(process.execPath, [PROGRAM], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => killProgram(child))
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  const said = (): string => lines.join('\n')
  return {
    said,
    says: async (text) => {
      await until(`"${text}"`, () => said().includes(text) || hasEnded(child), 300)
      expect(said()).toContain(text)
    },
    isRunning: () => !hasEnded(child),
    async end() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      return ((await ended) as [number | null])[0]
    },
  }
}

async function administrator(url: string): Promise<Client> {
  const client = createClient(url)
  return client.as({ bearer: (await logIn(client, ADMIN)).access_token })
}

test('a newcomer removes the demo campus while it is being made: the server stays, its terminal goes, and it starts again', async () => {
  const database = await scratchDatabase()
  onTestFinished(() => database.drop())
  const [port, terminalPort, mqttPort] = [await freePort(), await freePort(), await freePort()]
  const env = {
    DATABASE_URL: database.connectionString,
    DATA_DIR: join(scratchFolder(), 'data'),
    PORT: String(port),
    TERMINAL_PORT: String(terminalPort),
    MQTT_PORT: String(mqttPort),
    ADMIN_PASSWORD: ADMIN.password,
    MODEL_DIR: '',
    CAPTCHA: 'off',
    SEED: 'demo',
  }
  const url = `http://127.0.0.1:${port}`
  const terminalAnswers = () =>
    fetch(`http://127.0.0.1:${terminalPort}/`).then(
      () => true,
      () => false,
    )
  const first = start(env)
  await first.says('Gatehouse is ready')
  expect(await terminalAnswers()).toBe(true)

  const admin = await administrator(url)
  expect(await admin.call(organisationCalls.demo, {})).toMatchObject({ state: 'preparing' })
  expect(await admin.ask(organisationCalls.removeDemo, {})).toMatchObject({ status: 200, code: 0, data: { state: 'none' } })
  await first.says('the demo campus was removed')
  await until('the terminal to end', async () => !(await terminalAnswers()))
  expect(await admin.call(deviceCalls.list, { query: {} })).toMatchObject({ total: 0 })
  expect(first.isRunning()).toBe(true)
  expect(await first.end()).toBe(0)
  expect(first.said()).not.toMatch(/did not start|not complete/)

  const second = start(env)
  await second.says('Gatehouse is ready')
  await (await administrator(url)).call(identityCalls.profile, {})
  expect(second.said()).not.toContain('demo')
  expect(await second.end()).toBe(0)
})
