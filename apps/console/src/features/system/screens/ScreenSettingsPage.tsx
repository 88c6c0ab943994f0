/** /screenSettings: texts and blocks of the park's data screen, with a preview. */
import { ExportOutlined, LinkOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, InputNumber, Segmented } from 'antd'
import Input from 'antd/es/input/Input'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SCREEN_REFRESH_MAX, SCREEN_REFRESH_MIN } from '@gatehouse/contract'
import {
  SCREEN_BLOCKS,
  SCREEN_THEMES,
  screenCalls,
  type ScreenSettings,
  type ScreenBlock,
  type ScreenFields,
} from '@gatehouse/contract/system/screens'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { useRead } from '../../../api/query.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMay, useSession } from '../../../api/session.ts'
import { screenAddress } from './screenAddress.ts'
import { SettingsForm } from './SettingsForm.tsx'
import styles from './settings.module.css'

const ScreenLinksDialog = lazy(() => import('./ScreenLinksDialog.tsx'))

export default function ScreenSettingsPage() {
  const { t } = useTranslation('system')
  const settings = useRead(screenCalls.read, {})
  const mayLook = useMay('screen')
  const [links, setLinks] = useState<'closed' | 'open' | 'unopened'>('unopened')
  const privatised = useSession(({ profile }) => profile?.capabilities.privatised ?? true)
  return (
    <Screen
      title={t('screens.settings.title')}
      actions={
        <>
          <Button icon={<LinkOutlined />} onClick={() => setLinks('open')}>
            {t('screens.links.title')}
          </Button>
          {mayLook && (
            <Button icon={<ExportOutlined />} href={screenAddress(window.location, privatised)} target="_blank" rel="noopener">
              {t('screens.settings.open')}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.words}>{t('screens.settings.words')}</p>
      <DetailPage query={settings}>{(found) => <Fields settings={found} />}</DetailPage>
      <Suspense fallback={null}>
        {links !== 'unopened' && <ScreenLinksDialog open={links === 'open'} close={() => setLinks('closed')} />}
      </Suspense>
    </Screen>
  )
}

function Fields({ settings: { version, ...values } }: { settings: ScreenSettings }) {
  const { t } = useTranslation('system')
  const park = useSession((session) => session.park)
  return (
    <SettingsForm
      call={screenCalls.change}
      values={values}
      hidden={{ version }}
      draft={`screens.${park?.areaCode ?? ''}`}
      preview={(typed) => <ScreenPreview settings={typed} park={park?.parkName ?? ''} />}
    >
      <Form.Item name="title" label={t('screens.settings.titleField')} extra={t('screens.settings.titleHint')}>
        <Input maxLength={32} placeholder={park?.parkName ?? ''} />
      </Form.Item>
      <Form.Item name="subtitle" label={t('screens.settings.subtitle')}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="blocks" label={t('screens.settings.blocks')}>
        <Checkbox.Group
          className={styles.blocks ?? ''}
          options={SCREEN_BLOCKS.map((block) => ({ value: block, label: t(`screens.block.${block}`) }))}
        />
      </Form.Item>
      <Form.Item name="theme" label={t('screens.settings.theme')}>
        <Segmented
          aria-label={t('screens.settings.theme')}
          options={SCREEN_THEMES.map((theme) => ({ value: theme, label: t(`screens.theme.${theme}`) }))}
        />
      </Form.Item>
      <Form.Item name="refreshSeconds" label={t('screens.settings.refresh')} extra={t('screens.settings.refreshHint')}>
        <InputNumber min={SCREEN_REFRESH_MIN} max={SCREEN_REFRESH_MAX} style={{ width: 160 }} />
      </Form.Item>
      <Form.Item name="background" label={t('screens.settings.background')}>
        <PictureField use="background" name={t('screens.settings.background')} />
      </Form.Item>
    </SettingsForm>
  )
}

const SIDE: readonly ScreenBlock[] = ['figures', 'people', 'devices']

/** A small preview of the data screen: the places of its blocks, in the colours of the theme. */
function ScreenPreview({ settings: { title, subtitle, theme, blocks, background }, park }: { settings: ScreenFields; park: string }) {
  const { t } = useTranslation('system')
  const block = (name: ScreenBlock) =>
    blocks.includes(name) && (
      <span key={name} data-block={name}>
        {t(`screens.block.${name}`)}
      </span>
    )
  const side = SIDE.filter((name) => blocks.includes(name))
  return (
    <figure>
      <div className={styles.wall} data-theme={theme} style={background ? { backgroundImage: `url("${background}")` } : undefined}>
        <p>
          <b>{title || park}</b>
          {subtitle && <small>{subtitle}</small>}
        </p>
        <div>
          {side.length > 0 && <div>{side.map(block)}</div>}
          {block('curve')}
          {block('latest')}
        </div>
      </div>
      <figcaption>{t('screens.settings.preview')}</figcaption>
    </figure>
  )
}
