/**
 * Links that open a park's data screen on a wall, without anybody logging in there. A link shows what its maker may see of the
 * screen, reads and changes nothing else, and works until its end, until somebody revokes it or resets the password of its maker,
 * or for as long as its maker may make one.
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import type { PermissionCode } from '../permissions.ts'
import { id, idParams, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('identity')

const TOKEN_PREFIX = 'screen_'

/** The token of a link, from its random part. */
export const screenLinkToken = (random: string): string => TOKEN_PREFIX + random

/** Whether a token is that of a link, and not of a session. */
export const isScreenLinkToken = (token: string): boolean => token.startsWith(TOKEN_PREFIX)

/** What the maker of a link must hold, and what a link can show: codes of the calls and topics marked `dataScreen`. */
export const SCREEN_LINK_PERMISSIONS = {
  toMake: ['system.screen', 'screen'],
  shown: ['screen', 'access.record', 'person.list', 'device.list'],
} as const satisfies Record<string, readonly PermissionCode[]>

/** `suspended`: its maker is disabled, or may no longer make one. */
export const SCREEN_LINK_STATES = ['works', 'ended', 'suspended'] as const

export const screenLink = z.object({
  id,
  /** Where it hangs, as its maker called it. */
  name: z.string(),
  state: z.enum(SCREEN_LINK_STATES),
  madeBy: masked('name', z.string()),
  createdAt: instant,
  /** Null: it does not end by itself. */
  endsAt: instant.nullable(),
  /** To about a minute; null: never. */
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
      /** Absent or null: it does not end by itself. */
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
