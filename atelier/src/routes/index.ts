// All routes, in the order of the documentation.
import type { Route } from '../api/route.ts'
import { createKey, deleteKey, listKeys } from './api-keys.ts'
import { readSession, showSignIn, signIn, signOut } from './auth.ts'
import { createContainer, deleteContainer, listContainers } from './containers.ts'
import { runCommand } from './exec.ts'
import { followCommand } from './follow-command.ts'
import { putFile, readFile } from './files.ts'
import { deleteFile, listFiles } from './folders.ts'
import { deleteImage, listImages, createImage, readImage, readImageLog } from './images.ts'
import { beginOidc, finishOidc } from './oidc.ts'
import { showDescription, showHealth, showReadiness } from './open.ts'
import type { Service } from './service.ts'
import { createSshSession } from './ssh.ts'
import { readSubscription } from './subscription.ts'
import { openTerminal } from './terminal.ts'

export const routes: readonly Route<Service>[] = [
  listContainers,
  createContainer,
  deleteContainer,
  runCommand,
  followCommand,
  readFile,
  putFile,
  listFiles,
  deleteFile,
  listImages,
  createImage,
  readImage,
  deleteImage,
  readImageLog,
  createSshSession,
  openTerminal,
  listKeys,
  createKey,
  deleteKey,
  readSubscription,
  showSignIn,
  signIn,
  signOut,
  readSession,
  beginOidc,
  finishOidc,
  showHealth,
  showReadiness,
  showDescription,
]

export const tags = {
  containers: 'Containers, and commands and files in them.',
  images: 'Images and their builds.',
  keys: 'API keys, managed in a browser session.',
  subscription: 'Limits and usage.',
  sessions: 'Browser sessions.',
  service: 'Health and description.',
} as const
