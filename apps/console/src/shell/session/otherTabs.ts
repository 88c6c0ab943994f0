/** A session is of the whole browser: what another tab began or ended is followed here, and said. */
import i18next from 'i18next'
import { toast } from '../../kit/feedback.tsx'
import { currentAddress, goTo } from '../../kit/navigation.ts'
import { screenLink } from '../../api/screenLink.ts'
import { useSession } from '../../api/session.ts'
import { storage, TOKEN_KEYS } from '../../api/storage.ts'
import { hasTokens } from '../../api/tokens.ts'
import { returnAddress } from '../../api/returnAddress.ts'
import { path } from '../../paths.ts'

/** Tokens are stored one after another: with this one all are there. */
const LAST_TOKEN = TOKEN_KEYS.at(-1)

/**
 * Where another tab has ended the session of this one, leads to the login page and keeps what was open and typed; where somebody else
 * has logged in there, begins anew as them. Until it is ended.
 */
export function followOtherTabs(): () => void {
  const changed = (): void => {
    const { profile } = useSession.getState()
    if (profile === undefined || screenLink.token() !== undefined) return
    if (hasTokens()) {
      const now = storage.get('profile')?.id
      if (now !== undefined && now !== profile.id) window.location.reload()
      return
    }
    returnAddress.remember(currentAddress(), profile.id)
    useSession.setState({ profile: undefined, park: undefined, ended: true })
    toast('info', i18next.t('shell:notice.endedElsewhere'))
    void goTo(path('login'))
  }
  window.addEventListener('storage', changed)
  return () => window.removeEventListener('storage', changed)
}

/** Calls back as soon as another tab has logged in; until it is ended. */
export function onLoginElsewhere(call: () => void): () => void {
  const changed = ({ key, newValue }: StorageEvent): void => {
    if (key === LAST_TOKEN && newValue !== null) call()
  }
  window.addEventListener('storage', changed)
  return () => window.removeEventListener('storage', changed)
}
