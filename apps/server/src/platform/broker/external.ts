/** A broker that stands elsewhere (MQTT_URL): the server is one of its clients and makes the accounts of the devices there. */
import { randomUUID } from 'node:crypto'
import mqtt, { type MqttClient } from 'mqtt'
import { UPLINK_PATTERN, deviceTopics } from '@gatehouse/contract/device/protocol'
import { addressForDevices, brokerAddress } from './address.ts'
import { fingerprintOf, passwordOf, passwordsOf } from './credentials.ts'
import { BrokerUnavailable, type ChannelOptions, type DeviceChannel, type DeviceCredential, type MessageHandler } from './types.ts'
import { dynamicSecurity } from './mosquitto.ts'

const RECONNECT_MS = 1_000
const CONNECT_MS = 10_000
/** How long after the broker turned out not to be set up it is looked at again. */
const PREPARE_AGAIN_MS = 30_000
/** Messages handed over and not yet dealt with, beyond which no further one is taken from the broker. */
const MOST_UNDER_WAY = 500
/** CONNACK codes of MQTT 3.1.1: identifier rejected, bad user name or password, not authorised. */
const REFUSED = [2, 4, 5]

/**
 * Connects to the broker, and again whenever it was away; what it knows of the devices is set right each time.
 * @throws Error with a sentence for an address that is none, or an account the broker refuses
 */
export async function externalChannel(options: ChannelOptions, url: string): Promise<DeviceChannel> {
  const { log, serverKey } = options
  const address = brokerAddress(url)
  const told = options.deviceUrl == null ? { url: address.url, port: address.port } : addressForDevices(options.deviceUrl)
  let handler: MessageHandler | null = null
  let reconnected: () => void = () => {}
  let connections = 0
  let stopped = false
  /** Connected and prepared; else why not. */
  let ready = false
  let obstacle: Error = new BrokerUnavailable('the broker is away')
  let again: NodeJS.Timeout | undefined
  let underWay = 0
  const held: (() => void)[] = []
  /** Numbers of QoS 1 messages the broker has not confirmed. */
  const unconfirmed = new Set<number>()
  /** Admissions under way, by password. */
  const admitting = new Map<string, Promise<void>>()
  /** Disconnections under way, by code and kind. */
  const cutting = new Map<string, Promise<void>>()
  const opened = Promise.withResolvers<void>()

  const client = mqtt.connect(address.broker, {
    username: address.username,
    password: address.password,
    clientId: `gatehouse-${randomUUID()}`,
    clean: true,
    protocolVersion: 4,
    keepalive: 15,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: CONNECT_MS,
    reconnectOnConnackError: true,
    resubscribe: false,
    queueQoSZero: false,
  })

  function publish(topic: string, payload: string, qos: 0 | 1, retain = false): Promise<void> {
    // The client would keep it and say it when the broker is back.
    if (!client.connected) return Promise.reject(new BrokerUnavailable('the broker is away'))
    return new Promise((resolve, reject) => {
      let id = 0
      client.publish(topic, payload, { qos, retain }, (error) => {
        unconfirmed.delete(id)
        if (error) reject(new BrokerUnavailable('the broker went away', { cause: error }))
        else resolve()
      })
      if (qos === 0) return
      id = client.getLastMessageId()
      unconfirmed.add(id)
    })
  }

  const security = dynamicSecurity(
    {
      publish: (topic, payload) => publish(topic, payload, 1),
      subscribe: async (topic) => void (await client.subscribeAsync(topic, { qos: 1 })),
    },
    serverKey,
  )

  /** Retained statuses come with the subscription, and so not before somebody takes them. */
  async function listen(): Promise<void> {
    if (handler !== null && client.connected) await client.subscribeAsync(UPLINK_PATTERN, { qos: 1 })
  }

  /** What has to stand before devices are served. */
  async function prepare(): Promise<void> {
    await listen()
    // The plugin ends the connections of an account whose rights change: then the next one begins here again.
    if ((await security.prepare(address.username)) && (await closesWithin(client, RECONNECT_MS))) return
    ready = true
    opened.resolve()
    await setRight()
  }

  /** Accounts whose device is gone, or has another secret by now: changes the broker was not there to be told of. */
  async function setRight(): Promise<void> {
    for (const { code, fingerprint, disabled } of await security.accounts()) {
      const credential = await options.credentialOf(code)
      if (credential === null) await forget(code)
      else {
        const passwords = passwordsOf(serverKey, credential)
        const known = passwords.find((password) => fingerprintOf(password) === fingerprint)
        if (known === undefined || disabled) await suspend(code, known ?? passwords[0])
      }
    }
  }

  /** The broker does not send the last will of a session it is told to end: the server says it, before the device may come back. */
  async function suspend(code: string, password: string): Promise<void> {
    await security.suspend(code, password)
    await publish(deviceTopics(code).status, JSON.stringify({ online: false }), 1, true)
    await security.resume(code)
  }

  async function forget(code: string): Promise<void> {
    await security.remove(code)
    const { status } = deviceTopics(code)
    await publish(status, JSON.stringify({ online: false }), 1)
    // An empty message takes the retained one away.
    await publish(status, '', 1, true)
  }

  /** The password the account of a device has, if it may still have it. */
  async function heldBy(code: string, credential: DeviceCredential): Promise<string | undefined> {
    for (const password of passwordsOf(serverKey, credential)) if (await security.holds(code, password)) return password
    return undefined
  }

  async function cut(code: string): Promise<void> {
    const credential = await options.credentialOf(code)
    await (credential === null ? forget(code) : suspend(code, (await heldBy(code, credential)) ?? passwordsOf(serverKey, credential)[0]))
  }

  async function retire(code: string): Promise<void> {
    const credential = await options.credentialOf(code)
    if (credential === null || (await heldBy(code, credential)) === undefined) await forget(code)
  }

  /** The last that was begun for a code. */
  const turns = new Map<string, Promise<unknown>>()

  /** One after the other for one code: what is looked up must still be so when it is changed. */
  function inTurn<T>(code: string, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(code) ?? Promise.resolve()).then(work)
    const over = turn
      .catch(() => {})
      .then(() => {
        if (turns.get(code) === over) turns.delete(code)
      })
    turns.set(code, over)
    return turn
  }

  function tryPreparing(): void {
    prepare().catch((error: unknown) => {
      // Whatever fails because the connection broke is begun anew with the next one.
      if (stopped || !client.connected) return
      log.error({ err: error }, error instanceof Error ? error.message : 'the broker could not be prepared')
      if (!ready && error instanceof Error) obstacle = error
      opened.resolve()
      again = setTimeout(tryPreparing, PREPARE_AGAIN_MS).unref()
    })
  }

  client.on('connect', () => {
    if (++connections > 1) reconnected()
    tryPreparing()
  })
  client.on('close', () => {
    if (ready && !stopped) log.warn('the broker is away')
    clearTimeout(again)
    ready = false
    obstacle = new BrokerUnavailable('the broker is away')
    if (connections === 0) opened.resolve()
    // Said again after the next connection, a command to a door would come minutes late.
    for (const id of unconfirmed) client.removeOutgoingMessage(id)
  })
  client.on('error', (error) => {
    if (!stopped) log.warn({ err: error }, 'the broker cannot be reached')
    if (REFUSED.includes(Number((error as { code?: unknown }).code)))
      opened.reject(new Error(`the broker refuses the account "${address.username}" of MQTT_URL, or its password`))
    else opened.resolve()
  })

  client.on('message', (topic, payload) => {
    if (topic === security.answers) return security.take(payload)
    if (payload.length === 0 || handler === null || stopped) return
    const work = handler(topic, payload)
    if (work === undefined) return
    underWay++
    work
      .catch((error: unknown) => log.error({ err: error, topic }, 'a message of a device was not handled'))
      .finally(() => {
        underWay--
        while (underWay < MOST_UNDER_WAY && held.length > 0) held.shift()!()
      })
  })
  client.handleMessage = (_packet, done) => {
    if (underWay < MOST_UNDER_WAY) done()
    else held.push(() => done())
  }

  await opened.promise.catch(async (error: unknown) => {
    stopped = true
    await client.endAsync(true)
    throw error
  })

  return {
    port: address.port,
    get connected() {
      return ready && client.connected
    },
    onMessage(taken) {
      handler = taken
      // Where the connection breaks over it, the next one begins with it.
      listen().catch((error: unknown) => log.warn({ err: error }, 'the messages of devices could not be subscribed to'))
    },
    onReconnect(taken) {
      reconnected = taken
    },
    publish: (topic, payload, { qos = 0 } = {}) => publish(topic, payload, qos),
    async admit({ deviceId, code }, { signedInBy }) {
      const credential = await options.credentialOf(code)
      if (credential?.deviceId !== deviceId) throw new Error(`there is no device ${code}`)
      const password = passwordOf(serverKey, credential, signedInBy)
      if (!ready) throw obstacle
      // A device that loses patience asks again.
      const begun = admitting.get(password) ?? inTurn(code, () => security.admit(code, password)).finally(() => admitting.delete(password))
      admitting.set(password, begun)
      await begun
      return { ...told, username: code, password }
    },
    disconnect(code) {
      // Nobody is connected to a broker that is away; what changed is set right when it is back.
      if (!ready) return Promise.resolve()
      // One at a time: a device that sends rubbish by the hundred is cut off once.
      const begun = cutting.get(code) ?? inTurn(code, () => cut(code)).finally(() => cutting.delete(code))
      cutting.set(code, begun)
      return begun
    },
    retire: (code) => (ready ? inTurn(code, () => retire(code)) : Promise.resolve()),
    async stop() {
      stopped = true
      ready = false
      clearTimeout(again)
      await client.endAsync(!client.connected)
    },
  }
}

/** Whether the connection ends within so many milliseconds. */
function closesWithin(client: MqttClient, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const closed = () => resolve(true)
  client.once('close', closed)
  const timer = setTimeout(resolve, ms, false)
  return promise.finally(() => {
    clearTimeout(timer)
    client.off('close', closed)
  })
}
