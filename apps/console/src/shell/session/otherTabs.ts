/** A session belongs to the whole browser: this tab follows its start and end in other tabs, and shows a message. */
import i18next from 'i18next'
import { toast } from '../../kit/feedback.tsx'
import { currentAddress, goTo } from '../../kit/navigation.ts'
import { screenLink } from '../../api/screenLink.ts'
import { useSession } from '../../api/session.ts'
import { storage, TOKEN_KEYS } from '../../api/storage.ts'
import { hasTokens } from '../../api/tokens.ts'
import { returnAddress } from '../../api/returnAddress.ts'
import { path } from '../../paths.ts'

/** Tokens are stored one after another: once this one is stored, all are. */
const LAST_TOKEN = TOKEN_KEYS.at(-1)

/**
 * Follow other tabs: where one has ended the session, go to the login page and keep the page and its input; where another user
 * has logged in there, load the page again as that user. @returns a function that stops it
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

/** Call back as soon as another tab has logged in. @returns a function that stops it */
export function onLoginElsewhere(call: () => void): () => void {
  const changed = ({ key, newValue }: StorageEvent): void => {
    if (key === LAST_TOKEN && newValue !== null) call()
  }
  window.addEventListener('storage', changed)
  return () => window.removeEventListener('storage', changed)
}
