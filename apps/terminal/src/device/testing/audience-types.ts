/** An audience of the terminal's test server, and what its calls share. */
import type { ChangedMessage } from '@gatehouse/contract/device/protocol-status'
import type { Manifest } from '@gatehouse/contract/device/protocol-manifest'
import type { PersonException } from '@gatehouse/contract/device/protocol-persons'

/** A person as the server sends it; a test may have damaged it. */
export type Sent = { id: string; version: string }

export interface TestAudience {
  manifest: Manifest
  /** Members, by id; use `put` and `remove` to change them. */
  persons: Map<string, Sent>
  put(...persons: Sent[]): void
  remove(...ids: string[]): void
  /** From here on, changes cannot be sent one by one. */
  compareFromHere(): void
  /** Forget all changes after a number, like a server restored from its backup. */
  restore(to: number): void
  /** Persons on a page of changes. */
  page: number
  /** Ids of persons whose calls fail: an answer that would contain one is a refusal. */
  poison: Set<string>
  /** Persons left out of every answer but the versions. */
  undelivered: Set<string>
  /** Erasures under their ids, oldest first; null if the server does not support them. */
  erasures: { id: string; personId: string }[] | null
  /** Photographs by face. */
  photos: Map<string, Uint8Array>
  /** Calls so far: the part of the path after the audience, such as `changes` or `shelf/0/256`. */
  calls: string[]
  /** Ids of persons sent so far, one entry for each time. */
  sent: string[]
  /** Called before each answer; may answer instead. */
  intercept: (call: string) => { status: number } | null
  /** Fail on every report of exceptions. */
  refusesExceptions: boolean
  /** Reports of exceptions, oldest first. */
  exceptions: { audience: string; cursor: number; exceptions: PersonException[] }[]
  announcement(): ChangedMessage
}

/** Changes among the persons of an audience. Its numbers change at any time, so read them from here each time. */
export interface AudienceChanges {
  /** Number of the newest change of each person. */
  readonly changed: Map<string, number>
  head: number
  /** Changes before this number cannot be sent one by one. */
  compareFrom: number
}
