/** Keeps the device's secrets as the settings name them: fetched when their revision is another, held meanwhile and without the server. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { DeviceSecrets } from '@gatehouse/contract/configuration/calls'
import type { SecretStore } from '../store/secrets.ts'

export type { DeviceSecrets } from '@gatehouse/contract/configuration/calls'

export interface Secrets {
  /** What holds now; null where nothing was told, or the settings name none any more. */
  current(): DeviceSecrets | null
  /** Whether a text is the password of this door; never where it has none. */
  isDevicePassword(password: string): boolean
  /** The settings may name another revision. */
  refresh(): void
  stop(): void
}

export interface SecretsOptions {
  store: SecretStore
  /** `secretsRevision` of the settings in force; undefined before the first. */
  revision: () => string | undefined
  /** Asks the server. @throws when it cannot be asked */
  fetch: () => Promise<DeviceSecrets>
  log: (sentence: string) => void
  /** Milliseconds until a fetch that failed is tried again; 10 s unless told. */
  again?: number
}

/** @param revision null-like and empty both mean that there are none */
export function createSecrets({ store, revision, fetch, log, again = 10_000 }: SecretsOptions): Secrets {
  let held = store.read()
  let fetching = false
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  function take(next: DeviceSecrets | null): void {
    held = next
    try {
      store.keep(next)
    } catch (error) {
      log(`The secrets of this device could not be kept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  function refresh(): void {
    const wanted = revision()
    if (stopped || fetching || wanted === held?.revision) return
    // Before the first manifest nobody knows whether what is held still holds: it does.
    if (!wanted) {
      if (wanted === '' && held) take(null)
      return
    }
    fetching = true
    clearTimeout(retry)
    fetch()
      .then((secrets) => {
        if (!stopped) take({ ...secrets, revision: wanted })
      })
      .catch(() => {
        if (stopped) return
        retry = setTimeout(refresh, again)
        retry.unref()
      })
      .finally(() => {
        fetching = false
        if (!stopped && revision() !== wanted) refresh()
      })
  }

  return {
    current: () => held,
    isDevicePassword(password) {
      const known = held?.devicePassword ?? null
      return known !== null && timingSafeEqual(digest(known), digest(password))
    },
    refresh,
    stop() {
      stopped = true
      clearTimeout(retry)
    },
  }
}

/** Of one length, whatever the text. */
const digest = (text: string) => createHash('sha256').update(text).digest()
