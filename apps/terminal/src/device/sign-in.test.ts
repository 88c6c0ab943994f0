/** How a terminal recognises its server, what it sends to others, and how it handles new certificates and tokens. */
import { setDefaultCACertificates, getCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { removalText } from '@gatehouse/contract/device/removal'
import { configure, terminalForTest } from '../settings/testing/terminal.ts'
import { openStore } from '../store/store.ts'
import { startDevice, type DeviceOptions } from './device.ts'
import { keyOfSecret, proofOf } from './handshake.ts'
import { createServerClient, ServerRefused } from './server.ts'
import { newKey, selfSigned } from './testing/certificates.ts'
import { MODEL, scratchFolder, until } from './testing/folder.ts'
import { disguisesOf, FLOOD_BYTES, startDowngrade, startFlood, startRelay, startRogue, type Listener } from './testing/listeners.ts'
import { DEVICE } from './testing/objects.ts'
import { BROKER, startTestServer, type TestServer, type TestServerOptions } from './testing/server.ts'

const CHALLENGE = `POST ${deviceProtocolCalls.challenge.url}`
const TOKEN = `POST ${deviceProtocolCalls.token.url}`
const REMOVAL = `POST ${deviceProtocolCalls.removal.url}`

async function serverForTest(options: TestServerOptions = {}): Promise<TestServer & { end(): Promise<void> }> {
  const server = await startTestServer(options)
  let ended: Promise<void> | null = null
  const end = () => (ended ??= server.stop())
  onTestFinished(end)
  return Object.assign(server, { end })
}

type ConnectOptions = Partial<Pick<DeviceOptions, 'secret' | 'clock' | 'tls'>> & { folder?: string }

/** The connected half of a terminal. */
function connect(url: string, { folder = scratchFolder(), ...options }: ConnectOptions = {}) {
  const store = openStore({ folder, code: DEVICE.code, model: MODEL })
  const device = startDevice({
    server: url,
    code: DEVICE.code,
    secret: DEVICE.secret,
    store,
    modelId: MODEL.modelId,
    version: '1',
    operateDoor: async () => ({ isSuccess: true, errorType: null }),
    retry: { first: 20, limit: 100 },
    ...options,
  })
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= device.stop().then(() => store.close()))
  onTestFinished(stop)
  const kind = () => device.state().link.kind
  const detail = () => device.state().link.detail
  const online = () => until(`it is online, not ${kind()}: ${detail()}`, () => kind() === 'online')
  const comesTo = (other: ReturnType<typeof kind>) => until(`it is ${other}`, () => kind() === other && detail() !== '')
  return { device, store, folder, stop, kind, detail, online, comesTo, security: () => device.state().security }
}

const client = (server: TestServer, clock?: () => number) =>
  createServerClient({ server: server.url, code: DEVICE.code, secret: DEVICE.secret, ...(clock && { clock }) })

/** HTTP requests that a listener received. */
const requests = (listener: Listener): string[] => listener.heard().match(/(?:GET|POST|PUT|HEAD) \/\S*/g) ?? []

/** Expect neither the secret nor any authorization. */
function expectNoSecret(heard: string): void {
  for (const disguise of disguisesOf(DEVICE.code, DEVICE.secret)) expect(heard).not.toContain(disguise)
  expect(heard).not.toMatch(/authorization/i)
}

const port = (url: string): number => Number(new URL(url).port)

describe('the secret', () => {
  test('does not travel to the server itself either, and opens all calls', async () => {
    const server = await serverForTest()
    const line = await startRelay(server.url)
    const terminal = connect(`http://127.0.0.1:${line.port}`)
    await terminal.online()
    await until('it has told what it holds', () => server.statuses.at(-1)?.held !== undefined)
    expect(server.asked).toContain(`POST ${deviceProtocolCalls.pair.url}`)
    for (const disguise of disguisesOf(DEVICE.code, DEVICE.secret)) expect(line.heard()).not.toContain(disguise)
    expect(terminal.security()).toBe('none')
  })

  test.each([
    ['says yes to everything', {}],
    ['asks for it', { status: 401, body: { code: 100412, message: 'Who are you?' } }],
    [
      'proves itself by something made up',
      { body: { code: 0, message: '', data: { challenge: 'c'.repeat(43), keys: [], tlsOnly: false, proof: 'p'.repeat(43) } } },
    ],
    ['points elsewhere', { status: 307 }],
  ])('is told to nobody at the address of the server who %s', async (_, answer) => {
    const rogue = await startRogue(answer)
    const terminal = connect(`http://127.0.0.1:${rogue.port}`)
    await until('it was asked twice', () => requests(rogue).filter((one) => one === CHALLENGE).length >= 2)
    expect(['away', 'refused']).toContain(terminal.kind())
    expectNoSecret(rogue.heard())
    expect(new Set(requests(rogue))).toEqual(new Set([CHALLENGE]))
  })

  test.each([
    ['over plain http', false],
    ['over TLS', true],
  ])('is told to nobody whom the settings name as the server, %s', async (_, encrypted) => {
    const { terminal, server } = await terminalForTest({ serverPatience: { online: 1_500, again: 60_000 } })
    const rogue = await startRogue(encrypted ? { tls: selfSigned() } : {})
    configure(server, { port: rogue.port })
    await until('it was tried', () => !['trying', null].includes(terminal.state().server.trouble))
    expect(terminal.state().link.kind).toBe('online')
    if (!encrypted) expect(terminal.state().server.trouble).toBe('stranger')
    expectNoSecret(rogue.heard())
    expect(requests(rogue)).toEqual(encrypted ? [] : [CHALLENGE])
  })

  test('that is wrong is refused by either side, in a sentence that names both reasons', async () => {
    const server = await serverForTest({ tls: selfSigned() })
    const terminal = connect(server.url, { secret: 'a guess' })
    await terminal.comesTo('refused')
    expect(terminal.detail()).toMatch(/either code or secret are wrong here or not valid any more, or it is another program/)
    expect(new Set(server.asked)).toEqual(new Set([CHALLENGE]))
    expect(terminal.store.trust()).toBeNull()
  })
})

describe('over TLS', () => {
  test('a server is known by a key it vouches for, whoever signed its certificate', async () => {
    const tls = selfSigned()
    const server = await serverForTest({ tls, brokerTls: selfSigned() })
    const terminal = connect(server.url)
    await terminal.online()
    expect(terminal.security()).toBe('vouched')
    expect(terminal.store.trust()?.keys).toEqual(server.keys)
    expect(JSON.stringify(terminal.store.trust())).not.toContain(DEVICE.secret)
    expect(server.signIns).toEqual({ challenges: 1, tokens: 1 })
  })

  test.each([
    ['at the first time', false],
    ['in the place of a server it knows', true],
  ])(
    'whoever passes on what the server says under another certificate is refused, and hears nothing but the challenge, %s',
    async (_, knows) => {
      const server = await serverForTest({ tls: selfSigned() })
      const folder = scratchFolder()
      if (knows) {
        const before = connect(server.url, { folder })
        await before.online()
        await before.stop()
      }
      const own = selfSigned()
      const relay = await startRelay(server.url, { tls: own })
      const terminal = connect(`https://localhost:${relay.port}`, { folder })
      await terminal.comesTo('refused')
      expect(terminal.detail()).toContain(own.keyDigest)
      expect(terminal.detail()).toMatch(/somebody stands in between, or a proxy .*PROXY_CERT_FILE/)
      await until('it was tried again', () => requests(relay).filter((one) => one === CHALLENGE).length >= 2)
      expectNoSecret(relay.heard())
      expect(new Set(requests(relay))).toEqual(new Set([CHALLENGE, REMOVAL].slice(0, knows ? 2 : 1)))
    },
  )

  test('a connection that shows another key while the terminal is signed in is sent nothing, its token least of all', async () => {
    const server = await serverForTest({ tls: selfSigned() })
    const own = selfSigned()
    const asking = client(server)
    await asking.request(deviceProtocolCalls.manifest, {})
    const address = port(server.url)
    await server.end()
    const rogue = await startRogue({ port: address, tls: own })
    await expect(asking.request(deviceProtocolCalls.manifest, {})).rejects.toThrow(/does not understand|cannot be reached/)
    expect(new Set(requests(rogue))).toEqual(new Set([CHALLENGE]))
    expectNoSecret(rogue.heard())
    asking.close()
  })

  test.each([
    ['the same key', true],
    ['another key', false],
  ])('a certificate that is renewed under %s is taken without anybody', async (_, sameKey) => {
    const key = newKey()
    const server = await serverForTest({ tls: selfSigned(key) })
    const asking = client(server)
    await asking.request(deviceProtocolCalls.manifest, {})
    const next = selfSigned(sameKey ? key : newKey())
    server.keys = [next.keyDigest]
    server.show(next)
    await until('the idle connection has ended', () => server.connections() === 0)
    await asking.request(deviceProtocolCalls.manifest, {})
    expect(server.signIns.tokens).toBe(sameKey ? 1 : 2)
    asking.close()
  })

  test('another key for which the server does not vouch is refused until it does', async () => {
    const tls = selfSigned()
    const server = await serverForTest({ tls })
    const terminal = connect(server.url)
    await terminal.online()
    const next = selfSigned()
    server.show(next)
    server.cut()
    await until('it is refused', () => terminal.kind() === 'refused')
    expect(terminal.detail()).toContain(next.keyDigest)
    server.keys = [tls.keyDigest, next.keyDigest]
    await terminal.online()
    expect(terminal.store.trust()?.keys).toEqual(server.keys)
  })

  test('where the server vouches for no key, its certificate must be one of an authority', async () => {
    const tls = selfSigned(newKey(), ['localhost'])
    const server = await serverForTest({ tls })
    server.keys = []
    const terminal = connect(`https://localhost:${port(server.url)}`)
    await terminal.comesTo('refused')
    expect(terminal.detail()).toMatch(/cannot be verified .*PROXY_CERT_FILE, or its authority here with NODE_EXTRA_CA_CERTS/)
    expect(new Set(server.asked)).toEqual(new Set([CHALLENGE]))
    const usual = getCACertificates('default')
    onTestFinished(() => setDefaultCACertificates(usual))
    setDefaultCACertificates([...usual, tls.certificate])
    await terminal.online()
    expect(terminal.security()).toBe('authority')
    // The certificate is not valid for the address.
    const elsewhere = connect(server.url)
    await elsewhere.comesTo('refused')
    expect(elsewhere.detail()).toContain('ALTNAME')
  })

  test('a terminal that is told http goes on over https where the server asks for that, and begins with it from then on', async () => {
    const server = await serverForTest({ tls: selfSigned() })
    const plain = server.url.replace('https:', 'http:')
    const first = connect(plain)
    await first.online()
    expect([first.security(), first.device.client.address.origin, server.plainRequests]).toEqual(['vouched', server.url, 1])
    await first.stop()
    const again = connect(plain, { folder: first.folder })
    await again.online()
    expect(server.plainRequests).toBe(1)
  })

  test.each([
    ['and passes TLS on', true],
    ['and TLS too', false],
  ])(
    'plain http is left where the server proves that it takes TLS only, though somebody in between hides its 426, %s',
    async (_, passesOn) => {
      const server = await serverForTest({ tls: selfSigned() })
      const between = await (passesOn ? startDowngrade(server.url) : startRelay(server.url))
      const terminal = connect(`http://127.0.0.1:${between.port}`)
      if (passesOn) {
        await terminal.online()
        expect([terminal.security(), terminal.store.trust()?.keys]).toEqual(['vouched', server.keys])
      } else {
        await terminal.comesTo('away')
        expect(terminal.detail()).toMatch(/Over http the server asks for https.*somebody stands in between/)
        await until('it was tried again', () => requests(between).length >= 2)
        expect(server.signIns.tokens).toBe(0)
      }
      expect(new Set(requests(between))).toEqual(new Set([CHALLENGE]))
      expect(between.heard()).not.toContain(TOKEN)
      expectNoSecret(between.heard())
    },
  )

  test('a terminal that was given http goes back to it where something once led to TLS, and the server did not ask for that', async () => {
    const proxy = await serverForTest({ tls: selfSigned() })
    proxy.tlsOnly = false
    const terminal = connect(proxy.url.replace('https:', 'http:'))
    await terminal.online()
    expect([terminal.security(), terminal.device.client.address.origin]).toEqual(['vouched', proxy.url])
    expect(terminal.store.trust()).toBeNull()
    const address = port(proxy.url)
    proxy.cut()
    await proxy.end()
    const plain = await serverForTest({ port: address })
    await until('it is online over plain http', () => plain.statuses.at(-1)?.online === true && terminal.kind() === 'online')
    expect([terminal.security(), terminal.device.client.address.origin]).toEqual(['none', plain.url])
  })

  test.each([
    ['https', false],
    ['http', true],
  ])(
    'a terminal that was given %s keeps to TLS where the server takes nothing else, or was given nothing else',
    async (scheme, tlsOnly) => {
      const server = await serverForTest({ tls: selfSigned() })
      server.tlsOnly = tlsOnly
      const terminal = connect(server.url.replace('https', scheme))
      await terminal.online()
      expect(terminal.store.trust()?.keys).toEqual(server.keys)
    },
  )

  test('a terminal that was given http is not told to begin with http where TLS was asked for and none is spoken', async () => {
    const rogue = await startRogue({ status: 426 })
    const terminal = connect(`http://127.0.0.1:${rogue.port}`)
    await terminal.comesTo('away')
    expect(terminal.detail()).toMatch(/Over http the server asks for https, and https:.* answers without encryption/)
    expect(terminal.detail()).not.toContain('begin its address')
    const given = connect(`https://127.0.0.1:${rogue.port}`)
    await given.comesTo('away')
    expect(given.detail()).toContain('begin its address with http:// if that is meant')
  })

  test('the address shown is the one in use, though the terminal was given http', async () => {
    const server = await serverForTest({ tls: selfSigned() })
    const { terminal } = await terminalForTest({ server: server.url.replace('https:', 'http:') }, server)
    expect(terminal.state().server).toEqual({ address: server.url, wished: null, trouble: null })
    const rogue = await startRogue()
    await rogue.stop()
    configure(server, { port: rogue.port })
    await until('it was tried', () => terminal.state().server.trouble === 'unreachable')
    expect(terminal.state().server).toMatchObject({ address: server.url, wished: `https://127.0.0.1:${rogue.port}` })
  })

  test('a server that answers without encryption after it was reached with it counts as offline; another secret starts anew', async () => {
    const server = await serverForTest({ tls: selfSigned() })
    const first = connect(server.url)
    await first.online()
    await first.stop()
    const address = port(server.url)
    await server.end()
    const plain = await serverForTest({ port: address })
    const terminal = connect(plain.url, { folder: first.folder })
    await terminal.comesTo('away')
    expect(terminal.detail()).toMatch(/answers without encryption\..*never.*make a new secret/)
    expect(plain.asked).toEqual([])
    await terminal.stop()
    plain.secret = 'another one'
    const renewed = connect(plain.url, { folder: first.folder, secret: 'another one' })
    await renewed.online()
    expect(renewed.security()).toBe('none')
  })

  test('keys vouched for over plain http, as those of a broker, bind nobody to https', async () => {
    const server = await serverForTest({ brokerTls: selfSigned() })
    const terminal = connect(server.url)
    await terminal.online()
    expect(terminal.store.trust()).toBeNull()
    expect(terminal.security()).toBe('none')
  })

  test('the trust moves along to an address of the settings', async () => {
    const tls = selfSigned()
    const { terminal, configured, server } = await terminalForTest({}, await serverForTest({ tls }))
    const other = await serverForTest({ tls: selfSigned() })
    other.audience.manifest = server.audience.manifest
    configure(other, { port: port(other.url) })
    await configured({ port: port(other.url) })
    await until('it is online there', () => other.statuses.at(-1)?.online === true && terminal.state().server.address === other.url)
    await until('nothing is the matter', () => terminal.state().link.kind === 'online')
    expect(terminal.state().security).toBe('vouched')
  })

  test('at another host than the one the terminal was started with, the server must vouch for its key', async () => {
    const tls = selfSigned(newKey(), ['localhost'])
    const usual = getCACertificates('default')
    onTestFinished(() => setDefaultCACertificates(usual))
    setDefaultCACertificates([...usual, tls.certificate])
    const { terminal, server, sentences } = await terminalForTest(
      { serverPatience: { online: 60_000, again: 50 } },
      await serverForTest({ tls: selfSigned() }),
    )
    const other = await serverForTest({ tls })
    other.keys = []
    other.audience.manifest = server.audience.manifest
    const moved = { serverAddress: 'localhost', port: port(other.url) }
    configure(other, moved)
    configure(server, moved)
    await until('it was tried', () => !['trying', null].includes(terminal.state().server.trouble))
    expect(terminal.state().server.trouble).toBe('stranger')
    expect(sentences.join('\n')).toMatch(/vouches for no key; the one shown is .*PROXY_CERT_FILE/)
    expect(new Set(other.asked)).toEqual(new Set([CHALLENGE]))
    other.keys = [tls.keyDigest]
    await until('it is online there', () => other.statuses.at(-1)?.online === true && terminal.state().link.kind === 'online')
    expect(terminal.state().server.address).toBe(`https://localhost:${port(other.url)}`)
    other.keys = []
    other.endTokens()
    other.cut()
    await until('it is refused', () => terminal.state().link.kind === 'refused')
    expect(terminal.state().link.detail).toContain('PROXY_CERT_FILE')
  })

  test('a deleted device is told so, though its server proves nothing by the handshake any more', async () => {
    const server = await serverForTest({ tls: selfSigned() })
    const terminal = connect(server.url)
    await terminal.online()
    server.removal = ({ code, nonce }) => ({
      deviceId: DEVICE.deviceId,
      proof: proofOf(keyOfSecret(DEVICE.secret), removalText('removed', code, nonce, DEVICE.deviceId)),
    })
    server.secret = 'forgotten'
    server.cut()
    await until('it is removed', () => terminal.kind() === 'removed')
    expect(terminal.store.removed()).toBe(DEVICE.deviceId)
  })
})

describe('a deleted device', () => {
  test('asks over https where it is led there from http', async () => {
    const server = await serverForTest({ tls: selfSigned() })
    server.tlsOnly = false
    const terminal = connect(server.url.replace('https:', 'http:'))
    await terminal.online()
    server.removal = ({ code, nonce }) => ({
      deviceId: DEVICE.deviceId,
      proof: proofOf(keyOfSecret(DEVICE.secret), removalText('removed', code, nonce, DEVICE.deviceId)),
    })
    server.secret = 'forgotten'
    server.cut()
    await until('it is removed', () => terminal.kind() === 'removed')
  })
})

describe('an answer without end', () => {
  test.each([
    ['compressed', 'http', { compressed: true }],
    ['as it is', 'http', { compressed: false }],
    ['compressed', 'https', { compressed: true, tls: selfSigned() }],
    ['as it is', 'https', { compressed: false, tls: selfSigned() }],
  ])('of whoever has not proved anything, %s over %s, is broken off', async (_, scheme, options) => {
    const flood = await startFlood(options)
    const asking = createServerClient({ server: `${scheme}://127.0.0.1:${flood.port}`, code: DEVICE.code, secret: DEVICE.secret })
    const nonce = 'n'.repeat(32)
    const calls = [
      () => asking.request(deviceProtocolCalls.manifest, {}),
      () => asking.request(deviceProtocolCalls.removal, { body: { code: DEVICE.code, nonce, proof: 'p'.repeat(43), done: false } }),
    ]
    for (const call of calls) {
      const failure = await call().catch((error: unknown) => error)
      expect(failure).toMatchObject({ name: 'ServerAway', message: expect.stringContaining('more than it was asked for') })
      await until('the connection has ended', () => flood.open() === 0)
    }
    expect(flood.heard().match(/accept-encoding: identity/g)).toHaveLength(2)
    if (!options.compressed) expect(flood.sent()).toBeLessThan(FLOOD_BYTES)
    asking.close()
  })

  const MEBIBYTE = 1024 * 1024
  /** Milliseconds; so long that only the size limit ends the answer, however busy the machine is. */
  const UNHURRIED = 300_000
  const fileOf = async (bytes: number, range?: { from: number; to: number }): Promise<unknown> => {
    const server = await serverForTest()
    server.files.set('file', new Uint8Array(bytes))
    const asking = client(server)
    onTestFinished(() => asking.close())
    const got = asking.download(configurationCalls.deviceFile, { params: { id: 'file' } }, { timeout: UNHURRIED, ...(range && { range }) })
    return got.then(({ length }) => length).catch((error: unknown) => error)
  }
  const tooLarge = { name: 'ServerAway', message: expect.stringContaining('more than it was asked for') }

  test('of a server that has proved itself is broken off as well where a part of a file is larger than that part', async () => {
    expect(await fileOf(MEBIBYTE, { from: 0, to: 99_999 })).toMatchObject(tooLarge)
    expect(await fileOf(12 * MEBIBYTE)).toBe(12 * MEBIBYTE)
  })

  test('of such a server is broken off beyond what the largest page may have', { tags: 'extended' }, async () => {
    expect(await fileOf(129 * MEBIBYTE)).toMatchObject(tooLarge)
  })
})

describe('a server that is older than the handshake', () => {
  test('is away, in a sentence that says to upgrade it, and is not sent the secret', async () => {
    const server = await serverForTest()
    server.knowsHandshake = false
    const line = await startRelay(server.url)
    const terminal = connect(`http://127.0.0.1:${line.port}`)
    await terminal.comesTo('away')
    expect(terminal.detail()).toMatch(/older than this terminal.*Upgrade the server/)
    expectNoSecret(line.heard())
    server.knowsHandshake = true
    await terminal.online()
  })
})

describe('the broker', () => {
  test.each([
    ['whose key the server does not vouch for', false],
    ['that passes on to the real one under another certificate', true],
  ])('%s is not sent the password', async (_, passesOn) => {
    const server = await serverForTest({ tls: selfSigned(), brokerTls: selfSigned() })
    const own = selfSigned()
    const first = connect(server.url)
    await first.online()
    await first.stop()
    const rogue = passesOn ? await startRelay(server.brokerUrl, { tls: own }) : await startRogue({ tls: own })
    server.broker = { url: `mqtts://127.0.0.1:${rogue.port}`, port: rogue.port, ...BROKER }
    const terminal = connect(server.url)
    await terminal.comesTo('away')
    expect(terminal.detail()).toContain(own.keyDigest)
    expect(terminal.detail()).toMatch(/not sent the password.*--ca/)
    await until('it was tried again', () => rogue.connections() >= 2)
    expect(rogue.heard()).toBe('')
  })

  test('is known by an authority of --ca as well', async () => {
    const [tls, brokerTls] = [selfSigned(), selfSigned()]
    const server = await serverForTest({ tls, brokerTls })
    server.keys = [tls.keyDigest]
    const terminal = connect(server.url, { tls: { ca: brokerTls.certificate } })
    await terminal.online()
    expect(terminal.device.isOnline()).toBe(true)
  })

  test('that shows another key than before is known by it once the server vouches for that', async () => {
    const [tls, brokerTls] = [selfSigned(), selfSigned()]
    const server = await serverForTest({ tls, brokerTls })
    server.keys = [tls.keyDigest]
    const terminal = connect(server.url)
    await terminal.comesTo('away')
    server.keys = [tls.keyDigest, brokerTls.keyDigest]
    await terminal.online()
    expect(terminal.store.trust()?.keys).toEqual(server.keys)
  })
})

describe('the token', () => {
  const ask = (asking: ReturnType<typeof client>) => asking.request(deviceProtocolCalls.manifest, {})

  test('is asked for once by calls that come together, and anew a little before it ends', async () => {
    const server = await serverForTest()
    let now = 1_760_000_000_000
    const asking = client(server, () => now)
    await Promise.all(Array.from({ length: 10 }, () => ask(asking)))
    expect(server.signIns).toEqual({ challenges: 1, tokens: 1 })
    now += 3_500_000
    await ask(asking)
    expect(server.signIns.tokens).toBe(1)
    now += 50_000
    await Promise.all([ask(asking), ask(asking)])
    expect(server.signIns).toEqual({ challenges: 2, tokens: 2 })
  })

  test('that is not taken any more is renewed, and the call repeated once', async () => {
    const server = await serverForTest()
    const asking = client(server)
    await ask(asking)
    server.endTokens()
    await Promise.all([ask(asking), ask(asking), ask(asking)])
    expect(server.signIns.tokens).toBe(2)
    // Tokens that have expired from the start.
    server.tokenSeconds = -1
    server.endTokens()
    server.asked.length = 0
    const refused = await ask(asking).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServerRefused)
    expect((refused as ServerRefused).credentials).toBe(true)
    expect(server.asked.filter((one) => one === `GET ${deviceProtocolCalls.manifest.url}`)).toHaveLength(2)
  })

  test('is not waited for longer than the call may take', async () => {
    const rogue = await startRogue()
    await rogue.stop()
    const silent = await startRelay(`http://127.0.0.1:${rogue.port}`)
    const asking = createServerClient({ server: `http://127.0.0.1:${silent.port}`, code: DEVICE.code, secret: DEVICE.secret })
    await expect(asking.request(deviceProtocolCalls.manifest, {}, { timeout: 50 })).rejects.toMatchObject({ name: 'ServerAway' })
  })
})
