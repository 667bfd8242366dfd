// What the container of a build may use. Cached steps count as made under these limits.
export const buildContainerLimits = { cpu: 1, memoryMiB: 1024, pids: 256, diskMiB: 10_240 }
