/**
 * Templates of palms, as the readers that enrolled them made them. The server cannot compare them: a reader at a door does. Decrypted for
 * terminals only, which store them encrypted like templates of faces.
 */
import { PALM_TEMPLATES } from '@gatehouse/contract/limits'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findTemplatesOf } from './data.ts'
import { PALM_TEMPLATE } from './schema.ts'

/** A person without a template is missing from both answers. */
export interface PalmTemplates {
  /** Return a text for each person that changes when the templates change, and reveals nothing about them. */
  marks(scope: Scope, personIds: readonly string[]): Promise<Map<string, string>>
  /** Return the newest templates of each person, base64. */
  of(scope: Scope, personIds: readonly string[]): Promise<Map<string, string[]>>
}

export function createPalmTemplates({ crypto, ...platform }: Pick<Platform, 'crypto' | 'db'>): PalmTemplates {
  async function newestOf(scope: Scope, personIds: readonly string[]) {
    const palms = Map.groupBy(await findTemplatesOf(scope, platform.db, personIds), ({ personId }) => personId)
    return [...palms].map(([personId, own]) => [personId, own.slice(0, PALM_TEMPLATES)] as const)
  }
  return {
    async marks(scope, personIds) {
      // The template of a palm never changes; another template means another palm.
      return new Map((await newestOf(scope, personIds)).map(([personId, own]) => [personId, own.map(({ id }) => id).join()]))
    },
    async of(scope, personIds) {
      const palms = await newestOf(scope, personIds)
      if (palms.length === 0) return new Map()
      const open = await crypto.opener(scope.parkId)
      return new Map(
        palms.map(([personId, own]) => [
          personId,
          own.map(({ id, template }) => open(placeOf(PALM_TEMPLATE, id), template).toString('base64')),
        ]),
      )
    },
  }
}
