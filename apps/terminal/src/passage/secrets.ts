/**
 * The device's secrets as named by the settings. They are fetched when the settings name another revision, and stay in force meanwhile and
 * without the server.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { DeviceSecrets } from '@gatehouse/contract/configuration/calls'
import type { SecretStore } from '../store/secrets.ts'

export type { DeviceSecrets } from '@gatehouse/contract/configuration/calls'

export interface Secrets {
  /** Return the secrets in force; null if none have arrived, or the settings name none any more. */
  current(): DeviceSecrets | null
  /** Return whether a text is the password of this door; always false without one. */
  isDevicePassword(password: string): boolean
  /** Fetch the secrets if the settings name another revision. */
  refresh(): void
  stop(): void
}

export interface SecretsOptions {
  store: SecretStore
  /** `secretsRevision` of the settings in force; undefined before the first. */
  revision: () => string | undefined
  /** Fetch from the server. @throws when it cannot be asked */
  fetch: () => Promise<DeviceSecrets>
  log: (sentence: string) => void
  /** Milliseconds until a failed fetch is repeated; default 10 s. */
  again?: number
}

/** @param revision undefined before the first settings; empty means that there are no secrets */
export function createSecrets({ store, revision, fetch, log, again = 10_000 }: SecretsOptions): Secrets {
  let current = store.read()
  let fetching = false
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  function take(next: DeviceSecrets | null): void {
    current = next
    try {
      store.keep(next)
    } catch (error) {
      log(`The secrets of this device could not be kept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  function refresh(): void {
    const target = revision()
    if (stopped || fetching || target === current?.revision) return
    // Before the first manifest the stored secrets stay in force.
    if (!target) {
      if (target === '' && current) take(null)
      return
    }
    fetching = true
    clearTimeout(retry)
    fetch()
      .then((secrets) => {
        if (!stopped) take({ ...secrets, revision: target })
      })
      .catch(() => {
        if (stopped) return
        retry = setTimeout(refresh, again)
        retry.unref()
      })
      .finally(() => {
        fetching = false
        if (!stopped && revision() !== target) refresh()
      })
  }

  return {
    current: () => current,
    isDevicePassword(password) {
      const devicePassword = current?.devicePassword ?? null
      return devicePassword !== null && timingSafeEqual(digest(devicePassword), digest(password))
    },
    refresh,
    stop() {
      stopped = true
      clearTimeout(retry)
    },
  }
}

/** A hash, so that texts of any length are compared in constant time. */
const digest = (text: string) => createHash('sha256').update(text).digest()
