import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder, until } from '../device/testing/folder.ts'
import { commandOutput } from './command-output.ts'
import { createDoor, simulatedLock, type DoorOutput, type DoorState } from './door.ts'
import { httpOutput } from './http-output.ts'
import { chosenOutput } from './output-choice.ts'

interface Asked {
  method: string | undefined
  url: string | undefined
  authorization: string | undefined
  body: string
}

/** A relay of the test over real HTTP. @param answer handles its n-th request, from 1 */
async function relay(answer: (count: number, response: ServerResponse) => void = (_count, response) => response.end('ok')) {
  const asked: Asked[] = []
  const server = createServer((request: IncomingMessage, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const { method, url, headers } = request
      asked.push({ method, url, authorization: headers.authorization, body })
      answer(asked.length, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const status = (code: number) => (_count: number, response: ServerResponse) => void response.writeHead(code).end()

describe('a relay over HTTP', () => {
  test('is called at its address with its own words and its header', async () => {
    const { asked, url } = await relay()
    const output = httpOutput({
      url: `${url}/relay/0?turn={action}`,
      words: { open: 'on', close: 'off' },
      authorization: 'Basic dXNlcjpwYXNz',
    })
    await output.open()
    await output.close()
    expect(asked).toEqual([
      { method: 'GET', url: '/relay/0?turn=on', authorization: 'Basic dXNlcjpwYXNz', body: '' },
      { method: 'GET', url: '/relay/0?turn=off', authorization: 'Basic dXNlcjpwYXNz', body: '' },
    ])
  })

  test('is sent a body where there is one', async () => {
    const { asked, url } = await relay()
    await httpOutput({ url, body: '{"lock":"{action}"}' }).open()
    expect(asked).toEqual([{ method: 'POST', url: '/', authorization: undefined, body: '{"lock":"open"}' }])
  })

  test('is asked once more when it fails or says nothing, and no more often', async () => {
    const failing = await relay((count, response) => void response.writeHead(count === 1 ? 503 : 200).end())
    await httpOutput({ url: failing.url }).open()
    expect(failing.asked).toHaveLength(2)
    const broken = await relay(status(500))
    await expect(httpOutput({ url: broken.url }).open()).rejects.toThrow(/answers 500/)
    expect(broken.asked).toHaveLength(2)
    const silent = await relay(() => {})
    await expect(httpOutput({ url: silent.url, timeout: 50 }).open()).rejects.toThrow(/no answer in time/)
    const late = await relay((count, response) => void (count > 1 && response.end()))
    await httpOutput({ url: late.url, timeout: 3_000 }).open()
    expect(late.asked).toHaveLength(2)
    const refusing = await relay(status(401))
    await expect(httpOutput({ url: refusing.url }).open()).rejects.toThrow(/answers 401/)
    expect(refusing.asked).toHaveLength(1)
  })

  test('does not follow to another address, and names one that nobody answers at', async () => {
    const { url } = await relay((_count, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end())
    await expect(httpOutput({ url }).open()).rejects.toThrow(/answers 302/)
    await expect(httpOutput({ url: 'http://127.0.0.1:9/' }).open()).rejects.toThrow(/cannot be reached/)
  })

  test('closing breaks off an opening that hangs, so that the relay never hears open after close', async () => {
    const { asked, url } = await relay((count, response) => void (count > 1 && response.end()))
    const output = httpOutput({ url: `${url}/{action}`, timeout: 60_000 })
    const opening = output.open().catch((error: Error) => error)
    await until('the relay is asked to open', () => asked.length === 1)
    await output.close()
    expect(await opening).toBeInstanceOf(Error)
    expect(asked.map((request) => request.url)).toEqual(['/open', '/close'])
  })
})

/** A program that writes its arguments into a file, one line for each run. */
function program(text: string) {
  const folder = scratchFolder()
  const [script, out] = [join(folder, 'lock'), join(folder, 'out')]
  writeFileSync(
    script,
    `#!${process.execPath}\nconst { appendFileSync } = require('node:fs')\nconst out = ${JSON.stringify(out)}\n${text}\n`,
  )
  chmodSync(script, 0o700)
  return { script, runs: () => (existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : []) }
}

describe('a lock moved by a program', () => {
  test('gets its arguments as they are: no shell reads anything into them', async () => {
    const { script, runs } = program('appendFileSync(out, JSON.stringify(process.argv.slice(2)) + "\\n")')
    const output = commandOutput({
      program: script,
      args: ['17={action}', '$(touch /tmp/never); a b'],
      words: { open: '1', close: '0' },
      timeout: 20_000,
    })
    await output.open()
    await output.close()
    expect(runs().map((line) => JSON.parse(line) as string[])).toEqual([
      ['17=1', '$(touch /tmp/never); a b'],
      ['17=0', '$(touch /tmp/never); a b'],
    ])
  })

  test('that fails, hangs or is missing is a sentence', async () => {
    const failing = program('process.stderr.write("pin is busy"); process.exit(3)')
    await expect(commandOutput({ program: failing.script, args: [], timeout: 20_000 }).open()).rejects.toThrow(
      /ended with 3: pin is busy\.$/,
    )
    const hanging = program('setTimeout(() => {}, 60_000)')
    await expect(commandOutput({ program: hanging.script, args: [], timeout: 300 }).open()).rejects.toThrow(/did not end within 0\.3 s/)
    await expect(commandOutput({ program: join(scratchFolder(), 'nothing'), args: [] }).open()).rejects.toThrow(
      /cannot be started \(ENOENT\)/,
    )
  })
})

describe('the output the options name', () => {
  test('is simulated, a relay or a program', async () => {
    const { asked, url } = await relay()
    await chosenOutput({ door: `${url}/{action}`, words: 'auf, zu', timeout: '2000' }).close()
    expect(asked[0]?.url).toBe('/zu')
    const { script, runs } = program('appendFileSync(out, process.argv.slice(2).join("|") + "\\n")')
    await chosenOutput({ door: `command:${script}  chip0   17={action}`, words: '1,0', timeout: '20000' }).open()
    expect(runs()).toEqual(['chip0|17=1'])
    await chosenOutput({ door: 'simulated' }).open()
  })

  test('is refused with a sentence where it cannot be understood', () => {
    for (const door of ['relay', 'command:', 'http://']) expect(() => chosenOutput({ door })).toThrow(TypeError)
    expect(() => chosenOutput({ door: 'simulated', words: 'on' })).toThrow(/--door-words on/)
    expect(() => chosenOutput({ door: 'http://relay/', method: 'PUT' })).toThrow(/--door-method PUT/)
    expect(() => chosenOutput({ door: 'http://relay/', timeout: 'soon' })).toThrow(/--door-timeout soon/)
  })
})

describe('a door whose output is stuck', () => {
  function doorWith(output: DoorOutput, patience: number) {
    const states: DoorState[] = []
    const door = createDoor({ output, openFor: 60_000, patience, onChange: (state) => void states.push(state), log: () => {} })
    onTestFinished(() => door.stop())
    return { door, states }
  }

  test('is shown closed after a while, says why, and obeys again as soon as the lock does', async () => {
    let stuck = true
    const works = simulatedLock(0)
    const { door, states } = doorWith({ open: () => (stuck ? new Promise(() => {}) : works.open()), close: works.close }, 20)
    expect(await door.operate(1)).toEqual({ isSuccess: false, errorType: 4 })
    expect(states).toEqual(['opening', 'closed'])
    expect(door.trouble()).toMatch(/has not answered/)
    stuck = false
    expect(await door.operate(1)).toEqual({ isSuccess: true, errorType: null })
    expect(door.trouble()).toBeNull()
    expect(door.state()).toBe('opened')
  })

  test('is told to open again and again while the door is to be held open, and nothing closes it meanwhile', async () => {
    let opened = 0
    const closed: string[] = []
    const output: DoorOutput = {
      async open() {
        if (++opened < 4) throw new Error('jammed')
      },
      close: async () => void closed.push('closed'),
    }
    const door = createDoor({ output, openFor: 1, holdAgain: 5, onChange: () => {}, log: () => {} })
    onTestFinished(() => door.stop())
    door.holdOpen(true)
    door.letThrough()
    await until('it is held open', () => door.state() === 'alwaysOpen')
    expect(closed).toEqual([])
    expect(await door.operate(3)).toEqual({ isSuccess: false, errorType: 2 })
    door.holdOpen(false)
    await until('it is closed', () => door.state() === 'closed')
    expect(closed).toEqual(['closed'])
  })

  test('that fails behind a later movement changes nothing', async () => {
    const openings: (() => void)[] = []
    const { door } = doorWith(
      { open: () => new Promise((_, reject) => openings.push(() => reject(new Error('jammed')))), close: async () => {} },
      60_000,
    )
    const opening = door.operate(1)
    await door.operate(3)
    openings[0]!()
    expect(await opening).toEqual({ isSuccess: true, errorType: null })
    expect(door.state()).toBe('closed')
    expect(door.trouble()).toBeNull()
  })
})
