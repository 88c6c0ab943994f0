/** Key and secret of an API user, shown once, with the command that obtains a token. */
import { useTranslation } from 'react-i18next'
import { addressOf, type OutputOf } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import type { handedSecret } from '@gatehouse/contract/identity/clients'
import { CopyField } from '../../../kit/form/CopyField.tsx'
import { SecretOnce } from '../../../kit/form/SecretOnce.tsx'
import { useSession } from '../../../api/session.ts'
import styles from '../identity.module.css'

export type Secret = OutputOf<typeof handedSecret>

/** @param server address of this installation as the program reaches it */
const tokenCommand = ({ ApiKey, ApiSecret }: Secret, server: string, areaCode: string): string =>
  [
    `curl -u '${ApiKey}:${ApiSecret}' \\`,
    `  -d grant_type=client_credentials -d areaCode=${areaCode} \\`,
    `  ${server}${addressOf(identityCalls.token)}`,
  ].join('\n')

export default function ClientSecret({ secret, close }: { secret: Secret; close: () => void }) {
  const { t } = useTranslation('identity')
  const areaCode = useSession(({ park }) => park?.areaCode ?? '')
  return (
    <SecretOnce
      title={t('client.secretTitle')}
      words={t('client.secretLost')}
      values={[
        { name: 'ApiKey', value: secret.ApiKey },
        { name: 'ApiSecret', value: secret.ApiSecret },
      ]}
      close={close}
    >
      <div className={styles.command}>
        <CopyField name={t('client.command')} value={tokenCommand(secret, window.location.origin, areaCode)} as="code" />
        <p>{t('client.commandHint')}</p>
      </div>
    </SecretOnce>
  )
}
