/** Name, logo and background of the installation. A domain with a look of its own takes precedence for requests under its name. */
import { z } from 'zod'
import { lookCalls, showType, type Look } from '@gatehouse/contract/system/look'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting } from '../organisation/index.ts'
import type { Domains } from './domains.ts'
import type { SystemDependencies } from './dependencies.ts'
import type { Pictures } from './pictures.ts'

const pictureId = z.string().nullable()
const lookSetting = defineSetting(
  'system.look',
  z.object({ showType, enableSystemName: z.boolean(), systemName: z.string(), logoId: pictureId, backgroundId: pictureId }),
  { showType: 'neutral', enableSystemName: true, systemName: '', logoId: null, backgroundId: null },
)
type StoredLook = typeof lookSetting.fallback

/** Return the logo of the installation as a published file; null where none is shown. */
export function shownLogo(settings: Pick<SystemDependencies['settings'], 'read'>): string | null {
  const { showType: type, logoId } = settings.read(INSTALLATION_ID, lookSetting)
  return type === 'custom' ? logoId : null
}

export function lookHandlers(
  platform: Platform,
  { settings, organisation }: SystemDependencies,
  pictures: Pictures,
  domains: Domains,
): MountedCall[] {
  const stored = (): StoredLook => settings.read(INSTALLATION_ID, lookSetting)

  /** Return the look set for the whole installation, whichever address a request uses. */
  const ownLook = ({ showType: type, enableSystemName, systemName, logoId, backgroundId }: StoredLook = stored()): Look => ({
    showType: type,
    enableSystemName,
    systemName: systemName || organisation.root().name,
    logoContent: type === 'custom' ? pictures.publicAddress(logoId) : '',
    background: pictures.publicAddress(backgroundId),
  })

  function lookAt(host: string): Look {
    const look = ownLook()
    const domain = domains.at(host)
    if (domain === undefined) return look
    const name = { enableSystemName: domain.name !== '' || look.enableSystemName, systemName: domain.name || look.systemName }
    if (domain.showType === 'neutral') return { ...look, ...name, showType: 'neutral', logoContent: '' }
    return { ...look, ...name, showType: 'custom', logoContent: pictures.publicAddress(domain.logoId) || look.logoContent }
  }

  /** Store a look whose new pictures are already published. */
  async function change(next: StoredLook, version?: number): Promise<void> {
    const before = stored()
    const idsOf = ({ logoId, backgroundId }: StoredLook) => [logoId, backgroundId]
    const exchange = (from: StoredLook, to: StoredLook) => platform.transaction((tx) => pictures.exchange(tx, idsOf(from), idsOf(to)))
    // Pictures first: a look must not name a picture that was swept. Where the look is refused, its pictures are released again.
    await exchange({ ...before, logoId: null, backgroundId: null }, next)
    try {
      await settings.write(INSTALLATION_ID, lookSetting, next, version)
    } catch (error) {
      await exchange(next, before)
      throw error
    }
    await exchange(before, next)
  }

  const changeBackground = async (scope: Scope, sent: string): Promise<void> => {
    const before = stored()
    await change({ ...before, backgroundId: await pictures.published(scope, sent, before.backgroundId, 'background', 'background') })
  }

  return [
    handler(lookCalls.uiConfig, async ({ host }) => lookAt(host)),
    handler(lookCalls.changeUiConfig, async ({ scope, body }) => {
      const before = stored()
      const { showType: type, enableSystemName, systemName } = leftAsItWas(before, body)
      const logoId = await pictures.published(scope, body.logoContent, before.logoId, 'logo', 'logoContent')
      const backgroundId = await pictures.published(scope, body.background, before.backgroundId, 'background', 'background')
      await change({ showType: type, enableSystemName, systemName, logoId, backgroundId }, body.version)
      return ownLook()
    }),
    handler(lookCalls.ownLook, async () => {
      const { version, logoId, systemName } = settings.show(INSTALLATION_ID, lookSetting)
      // A logo that is set and not shown is returned as well, so that it can be shown again.
      return { ...ownLook(), systemName, logoContent: pictures.publicAddress(logoId), defaultName: organisation.root().name, version }
    }),
    handler(lookCalls.background, async () => ({ background: ownLook().background })),
    handler(lookCalls.changeBackground, async ({ scope, body }) => {
      await changeBackground(scope, body.background)
      return { background: ownLook().background }
    }),
    handler(lookCalls.domainLogo, async ({ host }) => {
      const { showType: type, systemName, logoContent } = lookAt(host)
      const domain = domains.at(host)
      return {
        name: systemName,
        showType: type,
        logo: logoContent,
        bigScreenLogo: type === 'custom' ? pictures.publicAddress(domain?.bigScreenLogoId ?? null) || logoContent : '',
      }
    }),
  ]
}
