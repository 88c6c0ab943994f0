/** The user's own name, e-mail address, telephone and ID card. */
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import type { FieldIssue } from '@gatehouse/contract'
import { isTelephone } from '@gatehouse/contract/account'
import { identityCalls, type Profile } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import { useSession } from '../../api/session.ts'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import type { DialogProps } from './lateDialog.tsx'
import styles from './account.module.css'

const valuesOf = ({ realName, email, telephone, idCard }: Profile) => ({ realName, email, telephone, idCard })

const telephoneFault = ({ telephone }: { telephone?: string | null }): FieldIssue[] =>
  isTelephone(telephone ?? '') ? [] : [{ path: 'telephone', rule: 'phone' }]

/** Read the profile again, so that the header shows the name at once. */
async function showProfile(): Promise<void> {
  useSession.setState({ profile: await request(identityCalls.profile, {}) })
}

export default function UserInfoForm({ open, close }: DialogProps) {
  const { t } = useTranslation('account')
  const profile = useReadOnce(identityCalls.profile, {})
  const id = profile.data?.id ?? ''
  return (
    <FormDialog
      call={ownCalls.updatePersonal}
      editor={{ open, close }}
      title={t('info.title')}
      width={520}
      initial={loadedFrom(profile, valuesOf)}
      also={telephoneFault}
      done={t('info.saved')}
      onDone={() => void showProfile()}
      draft={`account.${id}`}
    >
      {profile.data && <Facts profile={profile.data} />}
      <Form.Item name="realName" label={t('info.realName')} required>
        <Input autoComplete="name" maxLength={64} />
      </Form.Item>
      <Form.Item name="email" label={t('info.email')} extra={t('info.emailUse')}>
        <Input autoComplete="email" maxLength={64} />
      </Form.Item>
      <Form.Item name="telephone" label={t('info.telephone')}>
        <Input autoComplete="tel" maxLength={64} />
      </Form.Item>
      <Form.Item name="idCard" label={t('info.idCard')}>
        <Input autoComplete="off" maxLength={32} />
      </Form.Item>
    </FormDialog>
  )
}

/** The facts that only an administrator changes. */
function Facts({ profile }: { profile: Profile }) {
  const { t } = useTranslation('account')
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('info.account')}</dt>
        <dd>{profile.username}</dd>
      </div>
      <div>
        <dt>{t('info.role')}</dt>
        <dd>{profile.roles.map(({ name }) => name).join(t('info.comma')) || '—'}</dd>
      </div>
      <div>
        <dt>{t('info.passwordExpires')}</dt>
        <dd>{profile.passwordExpiresAt === null ? t('info.never') : <DateOnly at={profile.passwordExpiresAt} />}</dd>
      </div>
      <div>
        <dt>{t('info.accountExpires')}</dt>
        <dd>{profile.accountExpiresAt === null ? t('info.never') : <DateOnly at={profile.accountExpiresAt} />}</dd>
      </div>
    </dl>
  )
}
