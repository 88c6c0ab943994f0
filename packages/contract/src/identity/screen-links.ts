/**
 * Links that open a park's data screen without a login. A link shows the parts of the screen that the user who made it may see; it reads
 * nothing else and changes nothing. It works until it ends, until it is revoked or the password of that user is reset, and only as long as
 * that user may make links.
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import type { PermissionCode } from '../permissions.ts'
import { id, idParams, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('identity')

const TOKEN_PREFIX = 'screen_'

/** Return the token of a link for its random part. */
export const screenLinkToken = (random: string): string => TOKEN_PREFIX + random

/** Return whether a token belongs to a link and not to a session. */
export const isScreenLinkToken = (token: string): boolean => token.startsWith(TOKEN_PREFIX)

/** Codes that a user needs to make a link, and codes of what a link can show: those of the calls and topics marked `dataScreen`. */
export const SCREEN_LINK_PERMISSIONS = {
  toMake: ['system.screen', 'screen'],
  shown: ['screen', 'access.record', 'person.list', 'device.list'],
} as const satisfies Record<string, readonly PermissionCode[]>

/** `suspended`: the user who made it is disabled, or may no longer make links. */
export const SCREEN_LINK_STATES = ['works', 'ended', 'suspended'] as const

export const screenLink = z.object({
  id,
  /** Name that the user gave the link, such as where the screen hangs. */
  name: z.string(),
  state: z.enum(SCREEN_LINK_STATES),
  madeBy: masked('name', z.string()),
  createdAt: instant,
  /** End of the link; null: none. */
  endsAt: instant.nullable(),
  /** Time of the last use, accurate to about a minute; null: never used. */
  lastUsedAt: instant.nullable(),
})
export type ScreenLink = z.output<typeof screenLink>

export const screenLinkCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/system/screen/link/list',
    permission: 'system.screen',
    summary: 'Links that open the data screen of the current park, the newest first.',
    query: pageQuery,
    data: pageData(screenLink),
    origin: 'own',
  }),
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/system/screen/link',
    permission: 'system.screen',
    besides: ['screen'],
    freshPassword: true,
    summary:
      'Makes a link that opens the data screen of the current park. Its token is told once; it goes as `tk` into the address of ' +
      'the screen, or as a bearer token to the calls such a screen reads.',
    body: z.object({
      name: z.string().trim().min(1).max(64),
      /** End of the link; absent or null: none. */
      endsAt: instant.nullish(),
    }),
    data: z.object({ id, token: z.string() }),
    origin: 'own',
  }),
  revoke: call({
    method: 'DELETE',
    service: 'biz',
    path: '/system/screen/link/{id}',
    permission: 'system.screen',
    summary: 'Revokes a link: screens that were opened by it show nothing more.',
    params: idParams,
    origin: 'own',
  }),
}
