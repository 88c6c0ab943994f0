/** Opens the platform of all contexts: database, events, files and so on, in their order. */
import { createAudit } from './platform/audit/audit.ts'
import type { Audit } from './platform/audit/audit-types.ts'
import type { DeviceChannel } from './platform/broker/channel.ts'
import type { Platform } from './platform/context.ts'
import { openDatabase, type Transaction } from './platform/database/database.ts'
import { createHistory } from './platform/database/history.ts'
import { assertNotInTransaction, asTransaction } from './platform/database/nesting.ts'
import { createParsing } from './platform/documents/parsing.ts'
import { openCrypto } from './platform/encryption/crypto.ts'
import { openSecrets } from './platform/encryption/secrets.ts'
import { createEvents } from './platform/events/events.ts'
import { collectExtensions } from './platform/extension-points.ts'
import { createWork } from './platform/jobs/work.ts'
import { createLog } from './platform/log.ts'
import { providerAccounts } from './platform/messages/carrier.ts'
import { createMessages } from './platform/messages/messages.ts'
import type { Disk } from './platform/storage/disk.ts'
import { openStorage } from './platform/storage/storage.ts'
import { systemClock } from './platform/time/clock.ts'
import { openTransport } from './platform/transport/transport.ts'
import type { ServerOptions } from './server-options.ts'

type DatabaseHandle = ReturnType<typeof openDatabase>

/**
 * Return the function that runs transactions: its operations are logged in the same transaction, and its events and messages are
 * delivered after the commit.
 */
function createTransactions(
  { db }: DatabaseHandle,
  { audit, events, messages }: Pick<Platform, 'events' | 'messages'> & { audit: Audit },
): Platform['transaction'] {
  return async (work) => {
    assertNotInTransaction()
    let open: Transaction | null = null
    const result = await audit.transaction((write) =>
      db.transaction().execute((tx) =>
        asTransaction(async () => {
          open = tx
          const made = await work(tx)
          await write(open)
          return made
        }),
      ),
    )
    // The work that this wakes serves all callers and belongs to no call.
    audit.apart(() => {
      events.poke()
      if (open !== null) messages.committed(open)
    })
    return result
  }
}

/**
 * Open the platform.
 * @param disk of stored files
 * @returns also parts that the server starts and stops, and a function to set the channel to devices once it is open
 */
export async function openPlatform(options: ServerOptions, disk: Disk) {
  const { config, connectionString, onStep = () => {} } = options
  const log = createLog(config.logLevel)
  const clock = options.clock ?? systemClock
  const handle = openDatabase(connectionString, options.connections)
  const events = createEvents(handle, log)
  const secrets = openSecrets(config.dataDir)

  onStep('database')
  // A separate connection: sealing within a transaction would otherwise wait for a second connection of the pool.
  const keys = openDatabase(connectionString, 1)
  const crypto = await openCrypto(keys.db, secrets, config.keyFile, log)
  const work = createWork({ db: handle.db, clock, log, leading: events.leading })
  const audit = createAudit(handle.db, clock, crypto, (error) => log.error({ err: error }, 'a read could not be noted'))
  const transport = await openTransport(config, secrets, (sentence) => log.warn(sentence))
  const extensions = collectExtensions()
  const messages = createMessages({ db: handle.db, config, clock, crypto, log, accounts: () => extensions.one(providerAccounts) })
  let channel: DeviceChannel | null = null
  const platform: Platform = {
    config,
    clock,
    log,
    db: handle.db,
    events,
    history: createHistory(handle.db, clock),
    audit,
    messages,
    secrets,
    transport,
    crypto,
    storage: openStorage(disk, handle.db, crypto, clock),
    parsing: options.parsing ?? createParsing(),
    work,
    restart: options.onRestart ?? null,
    extensions,
    channel() {
      if (channel === null) throw new Error('the broker is not up')
      return channel
    },
    transaction: createTransactions(handle, { audit, events, messages }),
  }
  return {
    platform,
    handle,
    extensions,
    events,
    work,
    messages,
    setChannel(opened: DeviceChannel) {
      channel = opened
    },
    /** Return whether devices can be reached. */
    isConnected: () => channel?.connected === true,
    /** Close what was opened, after everything that uses it has ended. */
    async close() {
      await messages.stop()
      await audit.stop()
      await keys.close()
      await handle.close()
    },
  }
}
