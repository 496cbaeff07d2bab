/** electron-builder asks this before it packages. @returns false: no package of ours is to be looked for, built or copied. */
export default async () => false;
