/**
 * How devices of the park sign in, and which of them still send their secret. A user who may pair devices can forbid that here, after
 * seeing which devices lose their connection, or allow it again; other users only see the setting.
 */
import { Button, Form, Modal, Radio, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { DataOf } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ListError } from '../../kit/list/ListStates.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { path } from '../../paths.ts'
import styles from './devices.module.css'

type SignIn = DataOf<typeof deviceCalls.signIn>
type SignInEditor = Pick<Editor<never>, 'open' | 'close'>

const WIDTH = 560

export default function SignInDialog({ editor }: { editor: SignInEditor }) {
  const maySave = useMayCall(deviceCalls.saveSignIn)
  return maySave ? <SignInForm editor={editor} /> : <SignInShown editor={editor} />
}

function SignInForm({ editor }: { editor: SignInEditor }) {
  const { t } = useTranslation('devices')
  const signIn = useReadOnce(deviceCalls.signIn, {})
  return (
    <FormDialog
      call={deviceCalls.saveSignIn}
      editor={editor}
      title={t('signIn.title')}
      initial={loadedFrom(signIn, ({ secretsTaken }) => ({ secretsTaken }))}
      hidden={{ version: signIn.data?.version }}
      done={t('saved')}
      draft="devices.signIn"
      width={WIDTH}
    >
      {signIn.data && <SignInFields signIn={signIn.data} leave={editor.close} />}
    </FormDialog>
  )
}

function SignInFields({ signIn, leave }: { signIn: SignIn; leave: () => void }) {
  const { t, i18n } = useTranslation('devices')
  const form = Form.useFormInstance<{ secretsTaken: boolean }>()
  const areSecretsTaken = Form.useWatch('secretsTaken', form) ?? signIn.secretsTaken
  const count = signIn.devices.length
  const change = areSecretsTaken ? 'comeBack' : 'cutOff'
  const effect = areSecretsTaken === signIn.secretsTaken ? null : change
  return (
    <>
      <p className={styles.signInWords}>{t('signIn.words')}</p>
      <Form.Item name="secretsTaken" label={t('signIn.choice')}>
        <Radio.Group
          className={styles.signInChoice ?? ''}
          options={[
            { value: true, label: t('signIn.taken') },
            { value: false, label: t('signIn.ended') },
          ]}
        />
      </Form.Item>
      <p className={styles.signInEffect} role="status" data-cuts={(effect === 'cutOff' && count > 0) || undefined}>
        {effect !== null && t(`signIn.${effect}`, { count, n: count.toLocaleString(i18n.language) })}
      </p>
      <SendingSecrets signIn={signIn} leave={leave} />
    </>
  )
}

function SignInShown({ editor: { open, close } }: { editor: SignInEditor }) {
  const { t } = useTranslation('devices')
  const signIn = useRead(deviceCalls.signIn, {})
  return (
    <Modal
      open={open}
      title={t('signIn.title')}
      width={WIDTH}
      centered
      destroyOnHidden
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t('pairing.close')}
        </Button>
      }
    >
      {signIn.isError ? (
        <ListError error={signIn.error} retry={() => void signIn.refetch()} />
      ) : signIn.data ? (
        <>
          <p className={styles.signInWords}>{t('signIn.words')}</p>
          <dl className={styles.signInShown}>
            <dt>{t('signIn.choice')}</dt>
            <dd>{t(signIn.data.secretsTaken ? 'signIn.taken' : 'signIn.ended')}</dd>
          </dl>
          <SendingSecrets signIn={signIn.data} leave={close} />
          <p className={styles.hint}>{t('signIn.whoMay')}</p>
        </>
      ) : (
        <Skeleton active paragraph={{ rows: 5 }} />
      )}
    </Modal>
  )
}

/** @param leave closes the dialog, since its links lead to other pages */
function SendingSecrets({ signIn: { secretsTaken, devices }, leave }: { signIn: SignIn; leave: () => void }) {
  const { t, i18n } = useTranslation('devices')
  const count = devices.length
  const some = secretsTaken ? 'signIn.sending' : 'signIn.out'
  return (
    <section className={styles.sending}>
      <p>{t(count === 0 ? 'signIn.none' : some, { count, n: count.toLocaleString(i18n.language) })}</p>
      {count > 0 && (
        <ul>
          {devices.map(({ id, name, code }) => (
            <li key={id}>
              <Link to={path('deviceDetails', { deviceId: id })} onClick={leave}>
                {name}
              </Link>
              <small>{code}</small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
