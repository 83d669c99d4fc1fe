/*
 * msd: rigid-body dynamics in double precision, from C.
 *
 * A world is made from a scene (TOML or JSON, as `msd check` accepts it) and advanced by steps. Units are SI; vectors are
 * in world axes; quaternions are (w, x, y, z). Bodies are numbered from 0 in the order of the scene.
 *
 * Functions that can fail return 0 if they did what they say, and 1 if they refused: then nothing has changed and
 * msd_last_error() says why. A world is for one thread at a time; worlds do not share anything. Texts that are returned
 * stay valid until the next call with the same world, that of msd_last_error until the next call of the same thread.
 *
 *     cc program.c -lmsd_capi          (library: cargo build --release -p msd-capi)
 */
#ifndef MSD_H
#define MSD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct msd_world msd_world;

/* Energies in J. `error` is the part of the change that no force, dissipation or correction explains. */
typedef struct msd_energy {
    double kinetic;
    double potential;
    double work;
    double dissipated;
    double correction;
    double error;
} msd_energy;

/* Why the last call of this thread refused; "" if it did not. */
const char *msd_last_error(void);

/* Version of the library, such as "0.1.0". */
const char *msd_version(void);

/* A world from the text of a scene; NULL if it has mistakes, all of which the last error lists with line and column. A
 * name that ends in .json is read as JSON; files that the scene names are looked for in the current folder. */
msd_world *msd_world_from_scene(const char *name, const char *text);

/* The same from a file: a scene, or a robot in URDF or MJCF. */
msd_world *msd_world_from_file(const char *path);

/* Ends a world; NULL is allowed. */
void msd_world_free(msd_world *world);

/* One step of `dt` seconds, or of the step length of the scene if `dt` is 0. Agents of the scene act. */
int32_t msd_world_step(msd_world *world, double dt);

/* s; NaN without a world. */
double msd_world_time(const msd_world *world);

/* Duration and step length of the scene, s. */
double msd_world_duration(const msd_world *world);
double msd_world_dt(const msd_world *world);

/* How many bodies there are, and the name of one; NULL if there is no such body. */
size_t msd_world_body_count(const msd_world *world);
const char *msd_world_body_name(msd_world *world, size_t body);

/* The number of a body by its name; 1 if there is none. */
int32_t msd_world_find_body(const msd_world *world, const char *name, size_t *body);

/* Position (m) and quaternion (w, x, y, z) of the frame of a body. */
int32_t msd_world_pose(const msd_world *world, size_t body, double pose[7]);

/* Velocity of the centre of mass (m/s) and angular velocity (rad/s). */
int32_t msd_world_velocity(const msd_world *world, size_t body, double velocity[6]);

/* Sets both; wakes the body. */
int32_t msd_world_set_velocity(msd_world *world, size_t body, const double velocity[6]);

/* Force through the centre of mass (N) and torque (N m) on a dynamic body during the next step. */
int32_t msd_world_apply_wrench(msd_world *world, size_t body, const double force[3], const double torque[3]);

/* The energy ledger since the start. */
int32_t msd_world_energy(const msd_world *world, msd_energy *energy);

/* 1 if the last step is certified, 0 if it is not or there was none. */
int32_t msd_world_certified(const msd_world *world);

/* What the certificate of the last step found wrong, with figure and limit; "" if it is certified or there was none. */
const char *msd_world_failure(msd_world *world);

/* SHA-256 of the state: equal on every machine for equal scenes and calls. */
const char *msd_world_hash(msd_world *world);

#ifdef __cplusplus
}
#endif

#endif
