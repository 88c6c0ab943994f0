/** The installation as a whole: its look, domains, notices, dictionary, outgoing messages (module M04). */
import { defineContext, type Context, type MountedCall } from '../../platform/context.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { organisationContext, publicAddress } from '../organisation/index.ts'
import { identityContext } from '../identity/index.ts'
import { facesContext } from '../faces/index.ts'
import { recordsContext } from '../records/index.ts'
import { extend } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createAddress } from './address.ts'
import type { SystemDependencies } from './dependencies.ts'
import { dictionaryHandlers } from './dictionary-calls.ts'
import { domainHandlers } from './domains-calls.ts'
import { createDomains } from './domains.ts'
import { installationHandlers } from './installation.ts'
import { lookHandlers, shownLogo } from './look.ts'
import { createParkPlan, mapHandlers, type ParkPlan } from './map.ts'
import { messageHandlers } from './messages.ts'
import { noticeHandlers } from './notices.ts'
import { createPictures } from './pictures.ts'
import { screenHandlers } from './screens.ts'
import { systemMigrations } from './schema.ts'
import { uploadHandlers } from './upload.ts'

export { productVersion } from './licences.ts'
export type { ParkPlan } from './map.ts'

export interface SystemContext extends Context {
  /**
   * Return the base address of links and QR codes, such as `https://gate.example.org`: the domain of the organisation or of the nearest one
   * above it, else the address that an administrator set; null where there is neither.
   */
  publicAddress(organisationId?: string): string | null
  /** Return the logo of an organisation as a published file: that of the nearest domain, else that of the installation, else null. */
  logo(organisationId: string): string | null
  plan(scope: Scope): ParkPlan
}

/** Each part contributes its calls and tables; a new part is one more line here. */
export const systemContext = defineContext({
  name: 'system',
  uses: { organisation: organisationContext, identity: identityContext, faces: facesContext, records: recordsContext },
  create(platform, { organisation, identity, faces, records }): SystemContext {
    const needs: SystemDependencies = {
      settings: organisation.settings,
      organisation: organisation.service,
      engine: () => faces.engine.description,
      coveredUsers: (session, userIds) => identity.accounts.covered(session, userIds),
      newestPassages: async (scope, size) => (await records.records.list(scope, { size })).content,
    }
    const pictures = createPictures(platform)
    const domains = createDomains(platform, needs.organisation, pictures)
    const address = createAddress(needs.settings, domains, () => ({
      scheme: platform.config.tls === null ? 'http' : 'https',
      port: platform.config.port,
    }))
    let startedAt = 0
    const calls: MountedCall[] = [
      ...lookHandlers(platform, needs, pictures, domains),
      ...domainHandlers(domains),
      ...uploadHandlers(pictures),
      ...installationHandlers(platform, needs, address, () => startedAt),
      ...noticeHandlers(platform),
      ...messageHandlers(platform, needs),
      ...dictionaryHandlers(platform, needs.settings),
      ...screenHandlers(platform, needs.settings, needs.newestPassages),
      ...mapHandlers(platform, needs.settings),
    ]
    const migrations: ContextMigration[] = [...systemMigrations]
    return {
      calls,
      migrations,
      publicAddress: address.public,
      plan: createParkPlan(platform, needs.settings),
      logo(organisationId) {
        const domain = domains.of(organisationId)
        if (domain?.showType === 'neutral') return null
        return domain?.logoId ?? shownLogo(needs.settings)
      },
      async start() {
        startedAt = platform.clock.now()
        await domains.start()
      },
      extensions: [extend(publicAddress, address.public)],
    }
  },
})
