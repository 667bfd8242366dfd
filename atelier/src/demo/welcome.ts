// The lines that the demo prints: each can be pasted into a shell, in this order.

export interface DemoPlace {
  readonly url: string
  readonly key: string
  readonly image: string
  readonly ssh: { readonly host: string; readonly port: number }
}

const json = `-H 'Content-Type: application/json'`
/** the first id of its kind in an answer */
const firstId = (prefix: string): string => `grep -o '${prefix}_[0-9a-z]*' | head -1`

type Line = readonly [about: string, command: string]

export const demoLines = ({ url, key, image, ssh }: DemoPlace): readonly Line[] => [
  ['First, in another terminal: where the service is, and a key', `URL=${url} AUTH='Authorization: Bearer ${key}'`],
  [
    'Create a container, and keep its id',
    `CT=$(curl -s -H "$AUTH" ${json} -d '{"image":"${image}"}' $URL/containers | ${firstId('ct')}); echo $CT`,
  ],
  [
    'Run a command in it',
    `curl -s -w '\\n' -H "$AUTH" ${json} -d '{"containerId":"'$CT'","command":["sh","-c","id; uname -sr"]}' $URL/containers/exec`,
  ],
  [
    'Run one, and read its output as it comes',
    `curl -sN -H "$AUTH" -H 'Accept: application/x-ndjson' ${json} -d '{"containerId":"'$CT'","command":["sh","-c","for i in 1 2 3; do echo $i; sleep 1; done"]}' $URL/containers/exec`,
  ],
  [
    'Put a file into it',
    `echo 'from outside' | curl -s -w '\\n' -H "$AUTH" -H 'Content-Type: application/octet-stream' -X PUT --data-binary @- "$URL/containers/files?containerId=$CT&path=/home/u/note.txt"`,
  ],
  ['Read it back', `curl -s -H "$AUTH" "$URL/containers/files?containerId=$CT&path=/home/u/note.txt"`],
  [
    'Build an image',
    `IMG=$(curl -s -H "$AUTH" ${json} -d '{"name":"mine","dockerfile":"FROM ${image}\\nRUN echo built > /built\\n"}' $URL/images | ${firstId('img')}); echo $IMG`,
  ],
  ['Follow its build', `curl -sN -H "$AUTH" "$URL/images/$IMG/logs?follow=true"`],
  [
    'Log in by SSH, with a key made for it',
    `DIR=$(mktemp -d) && ssh-keygen -q -t ed25519 -N '' -f $DIR/id && LOGIN=$(curl -s -H "$AUTH" ${json} -d '{"containerId":"'$CT'","publicKey":"'"$(cut -d' ' -f1,2 $DIR/id.pub)"'"}' $URL/containers/ssh | ${firstId('ssh')}); echo $LOGIN`,
  ],
  [
    'A command over SSH; without the last word, a shell',
    `ssh -p ${ssh.port} -i $DIR/id -o UserKnownHostsFile=$DIR/known -o StrictHostKeyChecking=accept-new $LOGIN@${ssh.host} 'cat note.txt'`,
  ],
  [
    'Delete the container and the image',
    `curl -s -w '\\n' -H "$AUTH" -X DELETE "$URL/containers?id=$CT"; curl -s -w '%{http_code}\\n' -H "$AUTH" -X DELETE "$URL/images/$IMG"; rm -r $DIR`,
  ],
]

export function welcome(place: DemoPlace, signIn: { readonly email: string; readonly password: string }): string {
  const lines = demoLines(place).map(([about, command]) => `# ${about}\n${command}\n`)
  return `
Atelier serves containers on a private Podman engine.

  API       ${place.url}
  OpenAPI   ${place.url}/openapi.json
  key       ${place.key}
  console   ${place.url}/console   (${signIn.email}, ${signIn.password})
  SSH       ${place.ssh.host}:${place.ssh.port}

${lines.join('\n')}
Ctrl-C stops it, and removes everything that it made.
`
}
