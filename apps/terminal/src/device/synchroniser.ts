/** Synchronises the holdings with the server: settings first, then changes of persons, and a comparison if the digests then differ. */
import { callsOf } from '@gatehouse/contract'
import { changesPage } from '@gatehouse/contract/device/protocol-persons'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { ChangedMessage } from '@gatehouse/contract/device/protocol-status'
import { z } from 'zod'
import { createComparison } from './comparison.ts'
import { createDeliveries, type DeliveriesOptions } from './deliveries.ts'
import { createErasurePull } from './erasure-pull.ts'
import { createPersonsById } from './persons-by-id.ts'
import { BULK_TIMEOUT, failsOnThis, isMissing } from './server.ts'
import type { Erasures, PersonFailure } from './store.ts'

export type { Embed } from './deliveries.ts'

export interface Synchroniser {
  /** Return whether the stored data differ from what a message announces. */
  differs(message: ChangedMessage): boolean
  /** Return whether a person is an exception that may succeed at the next attempt, with nothing changed at the server. */
  mayPass(): boolean
  /**
   * Pull what is missing. What arrived stays after an interruption, and the next pull continues from there. At most one comparison is made:
   * if the digests still differ after it, the next pull makes another.
   * @param target announced state; null if it is unknown: the server is asked then, and exceptions that are nobody's fault are tried again
   * @throws ServerAway, ServerRefused when the server cannot be asked
   */
  pull(target: ChangedMessage | null, signal: AbortSignal): Promise<void>
}

/** Reasons that lie neither in the person nor in the photograph. */
const RETRIED: readonly string[] = ['notDelivered', 'noRoom'] satisfies PersonFailure[]
/** Most manifests fetched in one pull; each further one follows a change of the audience during the pull. */
const MANIFESTS = 3

/** Changes read person by person, so that one that cannot be read does not block the rest of its page. */
const changesUnread = callsOf('device')({ ...deviceProtocolCalls.changes, data: changesPage.extend({ persons: z.array(z.unknown()) }) })

export function createSynchroniser({ erasures, ...options }: DeliveriesOptions & { erasures: Erasures }): Synchroniser {
  const { client, stored, modelId, log, sealedCredentials } = options
  const { holdings } = stored
  const deliveries = createDeliveries(options)
  const personsById = createPersonsById({ client, deliveries, modelId, sealedCredentials })
  const comparison = createComparison({ client, stored, deliveries, personsById, modelId, sealedCredentials })
  const erasurePull = createErasurePull({ client, stored, erasures })

  /** Put the newest settings into force. @returns the audience they name */
  async function takeManifest(signal: AbortSignal): Promise<string> {
    const manifest = await client.request(deviceProtocolCalls.manifest, {}, { signal })
    if (manifest.revision !== holdings.revision()) holdings.apply(manifest)
    return manifest.audience
  }

  /** Take the persons of the audience, from the current position on. */
  async function takePersons(audience: string, compare: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    if (holdings.position()?.audience !== audience && !(await compare())) return
    for (;;) {
      const { cursor } = holdings.position()!
      const page = await changesAfter(cursor)
      // If the head is behind the cursor, or a page makes no progress, the cursor does not come from this server's numbering.
      const usable = page && !page.compare && page.head >= cursor && !(page.more && page.head === cursor)
      if (usable) {
        await deliveries.take(page.persons, { removed: page.gone, position: { audience, cursor: page.head } }, signal)
        if (page.more) continue
        if (page.digest === stored.digest()) return
        log('The persons held do not come to the digest of the server.')
      }
      if (!(await compare())) return
    }

    /** Return a page of changes; null if the server fails on its content. */
    async function changesAfter(after: number) {
      try {
        return await client.request(
          changesUnread,
          { params: { audience }, query: { after, modelId, ...sealedCredentials.queryParameters() } },
          { signal, timeout: BULK_TIMEOUT },
        )
      } catch (error) {
        if (isMissing(error) || !failsOnThis(error)) throw error
        return null
      }
    }
  }

  const retried = () => [...holdings.exceptions().values()].filter(({ reason }) => RETRIED.includes(reason))

  /** Retry the persons who did not arrive, or for whom there was no room. */
  async function retryExceptions(audience: string, signal: AbortSignal): Promise<void> {
    await personsById.take(audience, new Map(retried().map(({ personId, version }) => [personId, version])), signal)
  }

  /** Pull settings and persons. */
  async function pullAll(target: ChangedMessage | null, signal: AbortSignal): Promise<void> {
    const isCurrent = target !== null && target.revision === holdings.revision() && target.audience === holdings.position()?.audience
    let compared = false
    let audience = isCurrent ? target.audience : await takeManifest(signal)
    for (let manifests = 1; ; manifests++) {
      try {
        await takePersons(audience, compareOnce, signal)
        if (target === null) await retryExceptions(audience, signal)
        return
      } catch (error) {
        if (!isMissing(error) || manifests >= MANIFESTS) throw error
        compared = false
        audience = await takeManifest(signal)
      }
    }

    async function compareOnce(): Promise<boolean> {
      if (compared) return false
      compared = true
      await comparison.run(audience, signal)
      return true
    }
  }

  function isBehind({ revision, audience, head, digest }: ChangedMessage): boolean {
    const position = holdings.position()
    if (position?.audience !== audience || holdings.revision() !== revision) return true
    return head > position.cursor || digest !== stored.digest()
  }

  return {
    mayPass: () => retried().length > 0,
    differs: (message) => erasurePull.differs(message.erasure) || isBehind(message),

    async pull(target, signal) {
      // Erasures come first; a failure of either part does not prevent the other.
      const failed = await erasurePull.pull(target, signal).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if (target === null || isBehind(target)) await pullAll(target, signal)
      if (failed) throw failed.error
    },
  }
}
