/** An external broker (MQTT_URL): the server is one of its clients and manages the accounts of the devices on it. */
import { addressForDevices, brokerAddress } from './address.ts'
import { passwordOf } from './credentials.ts'
import { createDeviceAccounts } from './external-accounts.ts'
import { closesWithin, connectToBroker, RECONNECT_MS } from './external-client.ts'
import { createUplink } from './external-uplink.ts'
import { dynamicSecurity } from './mosquitto.ts'
import { BrokerUnavailable, type ChannelOptions, type DeviceChannel } from './types.ts'

/** Milliseconds between attempts to prepare a broker that is not set up. */
const PREPARE_AGAIN_MS = 30_000
/** CONNACK codes of MQTT 3.1.1: identifier rejected, bad user name or password, not authorised. */
const REFUSED = [2, 4, 5]

/**
 * Connect to the broker, and reconnect whenever it was away; the accounts of the devices are corrected each time.
 * @throws Error with a sentence for an invalid address, or an account the broker refuses
 */
export async function externalChannel(options: ChannelOptions, url: string): Promise<DeviceChannel> {
  const { log, serverKey, credentialOf } = options
  const address = brokerAddress(url)
  const deviceAddress = options.deviceUrl == null ? { url: address.url, port: address.port } : addressForDevices(options.deviceUrl)
  let onReconnect: () => void = () => {}
  let connections = 0
  let isStopped = false
  /** Whether the connection is open and prepared; `obstacle` says why not. */
  let isReady = false
  let obstacle: Error = new BrokerUnavailable('the broker is away')
  let retry: NodeJS.Timeout | undefined
  const opened = Promise.withResolvers<void>()

  const { client, publish, dropUnconfirmed } = connectToBroker(address)
  const security = dynamicSecurity(
    {
      publish: (topic, payload) => publish(topic, payload, 1),
      subscribe: async (topic) => void (await client.subscribeAsync(topic, { qos: 1 })),
    },
    serverKey,
  )
  const accounts = createDeviceAccounts({ serverKey, credentialOf, publish, security })

  /** Set up what devices need before they are served. */
  async function prepare(): Promise<void> {
    await uplink.listen()
    // The plugin closes the connections of an account whose rights change; the next connection then prepares again.
    if ((await security.prepare(address.username)) && (await closesWithin(client, RECONNECT_MS))) return
    isReady = true
    opened.resolve()
    await accounts.reconcile()
  }

  function tryPreparing(): void {
    prepare().catch((error: unknown) => {
      // A failure caused by a lost connection is retried with the next one.
      if (isStopped || !client.connected) return
      log.error({ err: error }, error instanceof Error ? error.message : 'the broker could not be prepared')
      if (!isReady && error instanceof Error) obstacle = error
      opened.resolve()
      retry = setTimeout(tryPreparing, PREPARE_AGAIN_MS).unref()
    })
  }

  client.on('connect', () => {
    if (++connections > 1) onReconnect()
    tryPreparing()
  })
  client.on('close', () => {
    if (isReady && !isStopped) log.warn('the broker is away')
    clearTimeout(retry)
    isReady = false
    obstacle = new BrokerUnavailable('the broker is away')
    if (connections === 0) opened.resolve()
    // Sent again after the next connection, a command to a door would arrive minutes late.
    dropUnconfirmed()
  })
  client.on('error', (error) => {
    if (!isStopped) log.warn({ err: error }, 'the broker cannot be reached')
    if (REFUSED.includes(Number((error as { code?: unknown }).code)))
      opened.reject(new Error(`the broker refuses the account "${address.username}" of MQTT_URL, or its password`))
    else opened.resolve()
  })
  const uplink = createUplink(client, security, log)

  function end(): void {
    isStopped = true
    uplink.stop()
  }

  await opened.promise.catch(async (error: unknown) => {
    end()
    await client.endAsync(true)
    throw error
  })

  return {
    port: address.port,
    get connected() {
      return isReady && client.connected
    },
    onMessage(handler) {
      uplink.setHandler(handler)
      // If the connection is lost meanwhile, the next one subscribes first.
      uplink.listen().catch((error: unknown) => log.warn({ err: error }, 'the messages of devices could not be subscribed to'))
    },
    onReconnect(handler) {
      onReconnect = handler
    },
    publish: (topic, payload, { qos = 0 } = {}) => publish(topic, payload, qos),
    async admit({ deviceId, code }, { signedInBy }) {
      const credential = await credentialOf(code)
      if (credential?.deviceId !== deviceId) throw new Error(`there is no device ${code}`)
      const password = passwordOf(serverKey, credential, signedInBy)
      if (!isReady) throw obstacle
      // A device that times out asks again, and shares the pending admission.
      await accounts.admit(code, password)
      return { ...deviceAddress, username: code, password }
    },
    // No device is connected to a broker that is away; accounts are corrected when it is back.
    disconnect: (code) => (isReady ? accounts.cut(code) : Promise.resolve()),
    retire: (code) => (isReady ? accounts.retire(code) : Promise.resolve()),
    async stop() {
      end()
      isReady = false
      clearTimeout(retry)
      await client.endAsync(!client.connected)
    },
  }
}
