/** Shown in place of every page to a user who needs a second factor and has none: gives the reason, and sets it up. */
import { LogoutOutlined } from '@ant-design/icons'
import { Alert, Button, Form } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { LoginFrame } from '../login/LoginFrame.tsx'
import { logout } from '../session/logout.ts'
import { useKeepAlive } from '../session/useKeepAlive.ts'
import type { OneTimeCodeValues } from './OneTimeCodeField.tsx'
import { RecoveryCodes, SetUpSteps } from './SetUpSteps.tsx'
import { useSecondFactor } from './useSecondFactor.ts'
import styles from './account.module.css'

/** Load the console again, so that what was refused is requested with the new permissions. */
const openConsole = (): void => window.location.reload()

export default function SecondFactorDemanded() {
  const { t } = useTranslation('account')
  const { t: ts } = useTranslation('shell')
  const account = useSession(({ profile }) => profile?.username ?? '')
  const state = useRead(secondFactorCalls.read, {})
  const [form] = Form.useForm<OneTimeCodeValues>()
  const { begin, pendingFactor, busy, confirm, failure, recoveryCodes } = useSecondFactor(form)
  // It was set up in another tab, or is no longer required.
  const isOver = recoveryCodes === undefined && state.data !== undefined && (state.data.enrolled || !state.data.demanded)
  useKeepAlive()
  const title = t('secondFactor.first.title')
  useEffect(() => {
    document.title = `${title} · ${ts('product')}`
  }, [title, ts])

  return (
    <LoginFrame isLong={pendingFactor !== undefined}>
      <Form<OneTimeCodeValues>
        form={form}
        layout="vertical"
        requiredMark={false}
        className={styles.form}
        onFinish={({ code }) => void (busy || confirm(code))}
      >
        <div className={styles.state}>
          <h2 className={styles.title}>{title}</h2>
          {failure && <Alert type="error" showIcon role="alert" title={failure} />}
          {isOver && <Alert type="success" showIcon title={t('secondFactor.first.over')} />}
          {pendingFactor ? (
            <>
              <SetUpSteps pendingFactor={pendingFactor} account={account} onComplete={form.submit} />
              <p className={styles.hint}>{t('secondFactor.othersEnd')}</p>
            </>
          ) : (
            !isOver && (
              <>
                <p>{t('secondFactor.first.words', { account })}</p>
                <p className={styles.hint}>{t('secondFactor.needsApp')}</p>
              </>
            )
          )}
          <div className={styles.ways}>
            {isOver ? (
              <Button type="primary" onClick={openConsole}>
                {t('secondFactor.first.open')}
              </Button>
            ) : pendingFactor ? (
              <Button type="primary" htmlType="submit" loading={busy}>
                {t('secondFactor.confirm')}
              </Button>
            ) : (
              <Button type="primary" loading={busy} onClick={() => void begin()}>
                {t('secondFactor.setUp')}
              </Button>
            )}
            <Button icon={<LogoutOutlined />} onClick={() => void logout()}>
              {ts('logout')}
            </Button>
          </div>
        </div>
      </Form>
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} account={account} close={openConsole} />}
    </LoginFrame>
  )
}
