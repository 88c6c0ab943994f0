/** /uiSettings: name, logo and background of the installation, with a preview. */
import { useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input, Segmented, Switch } from 'antd'
import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { TEXT_MAX, type DataOf } from '@gatehouse/contract'
import { domainShowType } from '@gatehouse/contract/enums/organisation'
import { lookCalls, type Look } from '@gatehouse/contract/system/look'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { readOptions, useRead } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import { path } from '../../../paths.ts'
import mark from '../../../theme/gate.svg'
import styles from './look.module.css'

type OwnLook = DataOf<(typeof lookCalls)['ownLook']>
type Values = Omit<OwnLook, 'version' | 'defaultName'>
const valuesOf = ({ version: _version, defaultName: _name, ...values }: OwnLook): Values => values

export default function LookPage() {
  const { t } = useTranslation('shell')
  const look = useRead(lookCalls.ownLook, {})
  return (
    <Screen title={t('title.uiSettings')}>
      <DetailPage query={look}>{(found) => <LookForm look={found} refresh={look.refetch} />}</DetailPage>
    </Screen>
  )
}

function LookForm({ look, refresh }: { look: OwnLook; refresh: () => Promise<unknown> }) {
  const { t } = useTranslation('system')
  const id = useId()
  const cache = useQueryClient()
  const optionsOf = useEnumOptions()
  const contract = useContractForm<typeof lookCalls.changeUiConfig, Values>({
    call: lookCalls.changeUiConfig,
    hidden: { version: look.version },
    draft: 'system.look',
    done: t('look.saved'),
    // Shown at once: until the next read the former look would reappear for a moment.
    onDone: (saved) =>
      cache.setQueryData(readOptions(lookCalls.ownLook, {}).queryKey, {
        ...look,
        ...contract.form.getFieldsValue(true),
        ...pictures(saved, contract.form.getFieldsValue(true)),
      }),
  })
  const { form, dirty, restored, pending, discard } = contract
  const unsaved = dirty || restored
  useEffect(() => {
    if (!unsaved) form.setFieldsValue(valuesOf(look))
  }, [form, look, unsaved])
  const values = { ...valuesOf(look), ...(Form.useWatch([], form) as Partial<Values> | undefined) }
  const custom = values.showType === domainShowType.custom
  return (
    <>
      <div className={styles.look}>
        <FormBody id={id} initial={ready(valuesOf(look))} contract={contract}>
          <Form.Item name="showType" label={t('look.showType')} extra={custom ? t('look.customWords') : t('look.neutralWords')}>
            <Segmented aria-label={t('look.showType')} options={optionsOf(domainShowType)} />
          </Form.Item>
          <Form.Item
            name="systemName"
            label={t('look.systemName')}
            extra={t('look.nameExtra', { count: TEXT_MAX, name: look.defaultName })}
          >
            <Input maxLength={TEXT_MAX} showCount />
          </Form.Item>
          <Form.Item name="enableSystemName" label={t('look.enableSystemName')} valuePropName="checked">
            <Switch />
          </Form.Item>
          <Form.Item name="logoContent" label={t('look.logo')} hidden={!custom}>
            <PictureField use="logo" name={t('look.logo')} />
          </Form.Item>
          <Form.Item name="background" label={t('look.background')} extra={t('look.backgroundExtra')}>
            <PictureField use="background" name={t('look.background')} />
          </Form.Item>
          <p className={styles.hint}>
            {t('look.domainHint')} <Link to={path('ipSettings')}>{t('look.domainLink')}</Link>
          </p>
        </FormBody>
        <Preview look={{ ...values, systemName: values.systemName || look.defaultName }} />
      </div>
      <div className={styles.foot}>
        <Button type="primary" htmlType="submit" form={id} loading={pending} disabled={!unsaved}>
          {t('common:save')}
        </Button>
        <Button disabled={!unsaved} onClick={() => void refresh().then(discard)}>
          {t('look.discard')}
        </Button>
        <span role="status">{unsaved && t('look.unsaved')}</span>
      </div>
    </>
  )
}

/** Return the pictures of a saved look. Uploaded ones have new addresses once public; a neutral look hides the logo it keeps. */
const pictures = (saved: DataOf<(typeof lookCalls)['changeUiConfig']>, sent: Values) => ({
  background: saved.background,
  logoContent: saved.showType === domainShowType.custom ? saved.logoContent : sent.logoContent,
})

/** A preview of the login page and the console: the same pictures and words at a smaller size. */
function Preview({ look: { showType, enableSystemName, systemName, logoContent, background } }: { look: Look }) {
  const { t } = useTranslation('system')
  const name = (enableSystemName && systemName) || t('shell:product')
  const logo = (showType === domainShowType.custom && logoContent) || mark
  return (
    <section className={styles.sample} aria-label={t('look.preview')}>
      <h2>{t('look.previewLogin')}</h2>
      <div className={styles.login}>
        <div className={styles.loginForm}>
          <img src={logo} alt="" />
          <b>{name}</b>
          <small>{t('look.welcome')}</small>
          <i />
          <i />
          <i />
        </div>
        <div className={styles.loginPicture} style={background ? { backgroundImage: `url("${background}")` } : undefined} />
      </div>
      <h2>{t('look.previewMenu')}</h2>
      <div className={styles.console}>
        <div className={styles.consoleMenu}>
          <div className={styles.consoleBrand}>
            <img src={logo} alt="" />
            <span>{name}</span>
          </div>
          <i />
          <i />
          <i />
        </div>
        <div className={styles.consoleBody}>
          <div>
            <i />
            <i />
          </div>
        </div>
      </div>
    </section>
  )
}
