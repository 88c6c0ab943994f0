/** The user's own second factor: its state, setting one up, and the actions that need a code of it. */
import { Alert, Button, Form, Modal, Skeleton } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { secondFactorCalls, type SecondFactorState as State } from '@gatehouse/contract/identity/second-factor'
import { ListError } from '../../kit/list/ListStates.tsx'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import type { DialogProps } from './lateDialog.tsx'
import { OneTimeCodeField, type OneTimeCodeValues } from './OneTimeCodeField.tsx'
import { RecoveryCodes, SetUpSteps } from './SetUpSteps.tsx'
import { useSecondFactor, type Purpose } from './useSecondFactor.ts'
import styles from './account.module.css'

export default function SecondFactor({ open, close }: DialogProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const account = useSession(({ profile }) => profile?.username ?? '')
  const state = useRead(secondFactorCalls.read, {})
  const [form] = Form.useForm<OneTimeCodeValues>()
  const factor = useSecondFactor(form)
  /** The action a code is needed for; undefined: none. */
  const [purpose, setPurpose] = useState<Purpose>()
  const { pendingFactor, busy, failure, recoveryCodes } = factor

  function leave(): void {
    factor.forget()
    form.resetFields()
    setPurpose(undefined)
  }
  async function send({ code }: OneTimeCodeValues): Promise<void> {
    if (busy) return
    if (pendingFactor) await factor.confirm(code)
    else if (purpose && (await factor.act(purpose, code))) setPurpose(undefined)
  }

  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} account={account} close={leave} />
  const step = pendingFactor ? 'setUp' : purpose
  return (
    <Modal
      open={open}
      title={t(step === undefined || step === 'setUp' ? 'secondFactor.title' : `secondFactor.${step}.title`)}
      width={520}
      centered
      destroyOnHidden
      mask={{ closable: step === undefined }}
      styles={{ body: { maxHeight: 'calc(100vh - 190px)', overflow: 'hidden auto' } }}
      onCancel={close}
      footer={
        step === undefined ? (
          <>
            <Button onClick={close}>{t('secondFactor.close')}</Button>
            {state.data?.enrolled === false && (
              <Button type="primary" loading={busy} onClick={() => void factor.begin()}>
                {t('secondFactor.setUp')}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button onClick={leave}>{t('secondFactor.back')}</Button>
            <Button type="primary" danger={step === 'remove'} htmlType="submit" form={id} loading={busy}>
              {t(step === 'setUp' ? 'secondFactor.confirm' : `secondFactor.${step}.submit`)}
            </Button>
          </>
        )
      }
    >
      {state.isError && <ListError error={state.error} retry={() => void state.refetch()} />}
      {state.isPending && <Skeleton active paragraph={{ rows: 4 }} />}
      <Form<OneTimeCodeValues>
        id={id}
        name={id}
        form={form}
        layout="vertical"
        requiredMark={false}
        className={styles.form}
        onFinish={(values) => void send(values)}
      >
        <div className={styles.state}>
          {failure && <Alert type="error" showIcon role="alert" title={failure} />}
          {pendingFactor && <SetUpSteps pendingFactor={pendingFactor} account={account} onComplete={form.submit} />}
          {pendingFactor && <p className={styles.hint}>{t('secondFactor.othersEnd')}</p>}
          {!pendingFactor && purpose && (
            <div>
              <p className={styles.words}>{t(`secondFactor.${purpose}.words`)}</p>
              <OneTimeCodeField {...(purpose === 'change' && { onComplete: form.submit })} />
            </div>
          )}
          {step === undefined && state.data && <SecondFactorState state={state.data} choose={setPurpose} />}
        </div>
      </Form>
    </Modal>
  )
}

/** Number of recovery codes left from which on the user is warned. */
const FEW = 2

interface SecondFactorStateProps {
  state: State
  choose: (purpose: Purpose) => void
}

/** Whether the user has a second factor, and the actions on it. */
function SecondFactorState({ state, choose }: SecondFactorStateProps) {
  const { t } = useTranslation('account')
  if (!state.enrolled)
    return (
      <>
        <p>{t('secondFactor.why')}</p>
        <p className={styles.hint}>{t('secondFactor.needsApp')}</p>
        {state.demanded && <Alert type="warning" showIcon title={t('secondFactor.demanded')} />}
      </>
    )
  const left = state.recoveryCodesLeft
  return (
    <>
      <p>{t('secondFactor.onWords')}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{t('secondFactor.state')}</dt>
          <dd>
            <StatusTag status="ok">{t('secondFactor.on')}</StatusTag> {state.since !== null && <DateOnly at={state.since} />}
          </dd>
        </div>
        <div>
          <dt>{t('secondFactor.codesLeft')}</dt>
          <dd>{t('secondFactor.codes', { count: left })}</dd>
        </div>
      </dl>
      {left <= FEW && <Alert type="warning" showIcon title={t('secondFactor.fewCodes')} />}
      <div className={styles.ways}>
        <Button onClick={() => choose('change')}>{t('secondFactor.change.open')}</Button>
        <Button onClick={() => choose('renew')}>{t('secondFactor.renew.open')}</Button>
        {!state.demanded && (
          <Button danger onClick={() => choose('remove')}>
            {t('secondFactor.remove.open')}
          </Button>
        )}
      </div>
      {state.demanded && <p className={styles.hint}>{t('secondFactor.notRemoved')}</p>}
    </>
  )
}
